import { parseCanonical } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import type { LedgerEntry } from '#core/envelope.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck, Walked } from '#store/fsck/report.ts'
import { keyOf } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import { type IssueRows, issueIn } from './issue.ts'
import type { LogRows } from './log.ts'

/** A day that an account has spent. */
export interface AccountDayRow {
  /** Slug of the machine whose day was spent with it; null when there was none. */
  readonly machine: string | null
  /** Serial number of the ledger leaf that paid. */
  readonly leaf: number
}

/** A day that a machine has spent. */
export interface MachineDayRow {
  /** Serial number of the ledger leaf that paid. */
  readonly leaf: number
}

/** Where an account stands with its claims. */
export interface ClaimantRow {
  /** Claims that were ever paid. */
  readonly claims: number
  /** UTC day of the last one. */
  readonly day: string
}

/** What all claims of a day come to. */
export interface ClaimDayRow {
  readonly claims: number
  readonly credits: number
}

export interface ClaimRows {
  readonly claimByAccount: AccountDayRow
  readonly claimByMachine: MachineDayRow
  readonly claimant: ClaimantRow
  readonly claimDay: ClaimDayRow
}

/** What a ledger leaf of a claim says it is for: the UTC day, and the machine whose day went with it. */
export const claimRef = (day: string, machine: string | null): string => (machine === null ? day : `${day} ${machine}`)

/** Leaves and their index stand in other tables. */
type ClaimNeeds = ClaimRows & IssueRows & Pick<LogRows, 'leaf'>

const SPENT = 'the day is spent without a ledger leaf'

/** The signed entry of a claim's leaf; undefined where the leaf is none of a claim. */
const entryAt = ({ database }: Fsck<ClaimNeeds>, { leafKeyAt }: Walked, serial: number): LedgerEntry | undefined => {
  const leaf = database.peek('leaf', leafKeyAt(serial))
  if (leaf === undefined || issueIn(leaf)?.kind !== 'claim') return undefined
  const body = parseCanonical(leaf.subarray(purposes.ledger.length + 1)) as unknown as { readonly entry: LedgerEntry }
  return body.entry
}

/** What the days of accounts come to. */
interface Found {
  readonly days: ReadonlyMap<string, ClaimDayRow>
  /** Days of accounts, and accounts. */
  readonly paid: number
  readonly claimants: number
}

/** Days of one account stand beside each other, the oldest first. */
interface Own extends ClaimantRow {
  readonly zid: string
}

const checkOwn = ({ database }: Fsck<ClaimNeeds>, { zid, claims, day }: Own): void => {
  const row = database.peek('claimant', zid)
  if (row?.claims === claims && row.day === day) return
  throw new CorruptRow('claimant', zid, `it does not say ${claims} claims, the last on ${day}`)
}

const checkAccountDays = async (fsck: Fsck<ClaimNeeds>, walked: Walked): Promise<Found> => {
  const { database, step } = fsck
  const days = new Map<string, ClaimDayRow>()
  let [paid, claimants] = [0, 0]
  let own: Own | undefined
  for await (const [key, { machine, leaf }] of database.range('claimByAccount')) {
    step('ledger')
    const [zid = '', day = ''] = key.split('/')
    const entry = entryAt(fsck, walked, leaf)
    if (entry?.to !== zid || entry.ref !== claimRef(day, machine)) throw new CorruptRow('claimByAccount', key, SPENT)
    const machineKey = keyOf(machine ?? '', day)
    if (machine !== null && database.peek('claimByMachine', machineKey)?.leaf !== leaf) {
      throw new CorruptRow('claimByMachine', machineKey, `it does not name the leaf of ${zid}`)
    }
    paid += 1
    const { claims, credits } = days.get(day) ?? { claims: 0, credits: 0 }
    days.set(day, { claims: claims + 1, credits: credits + entry.amount })
    if (own !== undefined && own.zid !== zid) checkOwn(fsck, own)
    if (own?.zid !== zid) claimants += 1
    own = { zid, claims: own?.zid === zid ? own.claims + 1 : 1, day }
  }
  if (own !== undefined) checkOwn(fsck, own)
  return { days, paid, claimants }
}

const checkMachineDays = async (fsck: Fsck<ClaimNeeds>, walked: Walked): Promise<void> => {
  for await (const [key, { leaf }] of fsck.database.range('claimByMachine')) {
    fsck.step('ledger')
    const [slug = '', day = ''] = key.split('/')
    const entry = entryAt(fsck, walked, leaf)
    if (entry === undefined || entry.ref !== claimRef(day, slug)) throw new CorruptRow('claimByMachine', key, SPENT)
    const accountKey = keyOf(entry.to, day)
    if (fsck.database.peek('claimByAccount', accountKey)?.leaf === leaf) continue
    throw new CorruptRow('claimByAccount', accountKey, `it does not name the leaf of ${slug}`)
  }
}

const checkCounts = async ({ database }: Fsck<ClaimNeeds>, { days, paid, claimants }: Found): Promise<void> => {
  const leaves = database.peek('issueTotal', 'all')?.['free/claim'] ?? 0
  if (leaves !== paid) throw new CorruptRow('claimByAccount', '', `there are ${paid} days for ${leaves} ledger leaves`)
  for (const [day, { claims, credits }] of days) {
    const row = database.peek('claimDay', day)
    if (row?.claims === claims && row.credits === credits) continue
    throw new CorruptRow('claimDay', day, `it does not count ${claims} claims of ${credits} credits`)
  }
  if ((await database.count('claimDay')) !== days.size) throw new CorruptRow('claimDay', '', 'a day without a claim')
  if ((await database.count('claimant')) !== claimants) throw new CorruptRow('claimant', '', 'one without a claim')
}

/**
 * Every day that an account or a machine has spent has its ledger leaf, every leaf of a claim has its days, and what is
 * counted of them is there. A day without its leaf would be credits that somebody was refused.
 */
const checkClaims = async (fsck: Fsck<ClaimNeeds>, walked: Walked): Promise<void> => {
  const found = await checkAccountDays(fsck, walked)
  await checkMachineDays(fsck, walked)
  await checkCounts(fsck, found)
}

/** Days that daily claims have spent. */
export const claim = rowKind<ClaimRows, ClaimNeeds>({
  tables: {
    claimByAccount: { prefix: 'ca', form: 'json', key: 'ZID / UTC day, yyyy-mm-dd' },
    claimByMachine: { prefix: 'cm', form: 'json', key: 'slug / UTC day' },
    claimant: { prefix: 'cz', form: 'json', key: 'ZID' },
    claimDay: { prefix: 'cd', form: 'json', key: 'UTC day' },
  },
  since: { schema: 2, note: 'the daily claim came later: a store of before has none' },
  check: checkClaims,
})
