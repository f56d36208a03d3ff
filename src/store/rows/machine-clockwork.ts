import { type MintRate, tokenEntries } from '#core/token-ranges.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { MachineRows } from './machine.ts'
import { entryRef, type MachineTokenRows, tokenDigits } from './machine-token.ts'

/** How a machine's token is minted by itself. */
export interface TokenMintRow {
  readonly slug: string
  /** Null while nothing is minted. */
  readonly rate: MintRate | null
  /** Whether the ceiling ended the last rate. */
  readonly ceiling: boolean
  /** Mesh tick up to which what was due is issued, or fell into a time in which the machine was not active. */
  readonly since: number
  /** Mesh tick at which the next is due; null where no tick brings one. */
  readonly next: number | null
  /** Fires that transitioned since the last mint. */
  readonly fires: number
  /** The entry of the rate. */
  readonly seq: number
}

/** How a machine anchors in its mother by itself. */
export interface MachineAnchoringRow {
  /** ZID of who named the mother: what they may do there decides. */
  readonly by: string
  /** Mesh tick at which it is looked at next. */
  readonly next: number
  /** Entries of the head that was anchored last. */
  readonly anchored: number
  /** Whether the chain says that the mother refuses. */
  readonly refused: boolean
}

export interface MachineClockworkRows {
  readonly tokenMint: TokenMintRow
  readonly tokenMintDue: string
  readonly machineAnchoring: MachineAnchoringRow
  readonly machineAnchorDue: string
}

type Needs = MachineClockworkRows & MachineTokenRows & Pick<MachineRows, 'machine' | 'machineHead' | 'machineEntry'>

const refuse = (table: keyof Needs, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

const checkMint = ({ database }: Fsck<Needs>, digits: string, row: TokenMintRow): void => {
  const { slug, rate, next, seq } = row
  const wrong = (what: string): never => refuse('tokenMint', digits, what)
  const machine = database.peek('machine', slug)
  if (machine === undefined || tokenDigits(machine.id_hash) !== digits) wrong('it is not at the digits of its machine')
  if (database.peek('machineToken', digits)?.slug !== slug) wrong('there is no such token')
  if (database.peek('machineEntry', entryRef(slug, seq))?.entry.type !== tokenEntries.rate) wrong('no entry says it')
  if ((machine?.mints === true) !== (rate?.per === 'transition')) wrong('its machine says another')
  if (next !== null && rate?.per !== 'ticks') wrong('no tick brings one')
  if (next === null) return
  if (next <= row.since || next % (rate?.every ?? 1) !== 0) wrong('it is due beside the grid')
  const due = keyOf(seqKey(next), digits)
  if (database.peek('tokenMintDue', due) !== slug) refuse('tokenMintDue', due, 'it is not that of its mint')
}

const checkAnchoring = ({ database }: Fsck<Needs>, slug: string, row: MachineAnchoringRow): void => {
  const head = database.peek('machineHead', slug)
  if (head === undefined || row.anchored > head.size) {
    refuse('machineAnchoring', slug, 'its machine has not so many entries')
  }
  if (database.peek('machine', slug)?.anchor.mother == null) refuse('machineAnchoring', slug, 'there is no mother')
  const due = keyOf(seqKey(row.next), slug)
  if (database.peek('machineAnchorDue', due) !== slug) refuse('machineAnchorDue', due, 'it is not that of its machine')
}

const checkClockwork = async (fsck: Fsck<Needs>): Promise<void> => {
  const { database, step } = fsck
  let [mints, anchors] = [0, 0]
  for await (const [digits, row] of database.range('tokenMint')) {
    step('ledger')
    checkMint(fsck, digits, row)
    if (row.next !== null) mints += 1
  }
  for await (const [slug, row] of database.range('machineAnchoring')) {
    step('machines')
    checkAnchoring(fsck, slug, row)
    anchors += 1
  }
  for await (const [key] of database.range('tokenMintDue')) {
    if (--mints < 0) refuse('tokenMintDue', key, 'there are more than mints')
  }
  for await (const [key] of database.range('machineAnchorDue')) {
    if (--anchors < 0) refuse('machineAnchorDue', key, 'there are more than machines that anchor')
  }
}

/** What machines do by themselves on the mesh grid: mint their tokens, and anchor in their mothers. */
export const machineClockwork = rowKind<MachineClockworkRows, Needs>({
  tables: {
    tokenMint: { prefix: 'mu', form: 'json', key: "first 16 digits of the machine's id hash" },
    tokenMintDue: { prefix: 'mq', form: 'json', key: 'mesh tick / digits of the token: slug' },
    machineAnchoring: { prefix: 'mb', form: 'json', key: 'slug' },
    machineAnchorDue: { prefix: 'mx', form: 'json', key: 'mesh tick / slug' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkClockwork,
})
