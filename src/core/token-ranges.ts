import { assert } from './assert.ts'
import type { Json } from './canonical.ts'
import type { Entry } from './machine.ts'

/** The machine's owner as a holder: a chain does not say their ZID. */
export const TOKEN_OWNER = 'owner'

/** Units of a token that follow on one another, both ends in it; the first unit of all is 1. */
export interface TokenSpan {
  readonly first: number
  readonly last: number
}

/** Units that came to one holder by one entry. */
export interface TokenRange extends TokenSpan {
  /** ZID, or {@link TOKEN_OWNER}. */
  readonly owner: string
  /** The entry by which they came to them; of units that never moved, the newest that issued any. */
  readonly seq: number
}

/** Types of entries that tell of a token. */
export const tokenEntries = {
  genesis: 'tally_genesis',
  transfer: 'tally_transfer',
  mint: 'tally_mint',
  rate: 'tally_mint_rate',
  stopped: 'tally_mint_stopped',
  token: 'tally_token',
  avatar: 'tally_avatar',
} as const

/** What mints: each so many-th fire that transitions, or each multiple of so many mesh ticks. */
export const mintPer = ['transition', 'ticks'] as const

/** A mint as its owner set it. */
export interface MintRate {
  /** Units that one mint issues. */
  readonly amount: number
  readonly per: (typeof mintPer)[number]
  readonly every: number
}

/** Multiples of `every` that are above `since` and not above `until`: mesh ticks. */
export const mintsDue = (every: number, since: number, until: number): number =>
  Math.floor(until / every) - Math.floor(since / every)

/** Mints that still fit whole below the ceiling. */
export const mintsLeft = (amount: number, remaining: number): number => Math.floor(remaining / amount)

/** What an entry says of a token that says nothing of how much there is. */
const SILENT: readonly string[] = [tokenEntries.token, tokenEntries.avatar]
const TOLD: readonly string[] = Object.values(tokenEntries)

/** What a chain comes to. */
export interface TallyReplay {
  /** Entries that tell of the token. */
  readonly entries: number
  /** Those of them whose members are sealed, and were not opened. With one, no sum is known. */
  readonly withheld: number
  readonly issued: number
  /** Units that left the machine's owner: the first so many. */
  readonly moved: number
  readonly max_supply: number
  /** In order; the last one is the owner's rest, where there is one. */
  readonly ranges: readonly TokenRange[]
  /** By holder; who has none is not in it. */
  readonly balances: ReadonlyMap<string, number>
  /** The first entry that does not follow from those before it. */
  readonly broken: { readonly seq: number; readonly tick: number; readonly why: string } | undefined
}

type Members = Readonly<Record<string, Json>>

const membersOf = (value: Json | undefined): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isAmount = (value: unknown): value is number => isCount(value) && value > 0

interface Standing {
  issued: number
  moved: number
  max_supply: number
  /** Number of the newest entry that issued units. */
  issuedBy: number
  rate: (MintRate & { since: number }) | undefined
  /** Fires that transitioned since the last mint. */
  fires: number
  /** The fire that the entry before says, where it says one that transitioned. */
  fire: Json | undefined
}

const rateOf = ({ amount, per, every, since }: Members): Standing['rate'] | string => {
  if (every === null) return undefined
  const named = per === 'ticks' || per === 'transition'
  if (!named || !isAmount(amount) || !isAmount(every) || !isCount(since)) return 'it is no rate'
  return { amount, per, every, since }
}

/** How many mints an entry may say, or why none. */
const mintsOf = (at: Standing, { ref, since, until }: Members): number | string => {
  const { rate } = at
  if (rate === undefined) return 'no rate stands'
  if (rate.per === 'transition') {
    if (at.fire === undefined || at.fire !== ref) return 'it names another fire than the entry before'
    return at.fires === rate.every ? 1 : 'it comes after another number of fires'
  }
  if (!isCount(since) || !isCount(until)) return 'it says no ticks'
  if (since < rate.since) return 'it begins before the one before it ended'
  if (until % rate.every !== 0 || until <= since) return 'it ends beside the grid'
  return Math.min(mintsDue(rate.every, since, until), mintsLeft(rate.amount, at.max_supply - at.issued))
}

/** Sums of a token, taken entry by entry. Each step gives why the entry does not follow, or undefined. */
const createSums = () => {
  const ranges: TokenRange[] = []
  const balances = new Map<string, number>()
  const at: Standing = {
    ...{ issued: 0, moved: 0, max_supply: -1, issuedBy: -1, fires: 0 },
    ...{ rate: undefined, fire: undefined },
  }
  const add = (holder: string, amount: number): void => {
    const left = (balances.get(holder) ?? 0) + amount
    if (left === 0) balances.delete(holder)
    else balances.set(holder, left)
  }
  const issue = (amount: number, seq: number): string | undefined => {
    if (amount > at.max_supply - at.issued) return 'it issues more than there may ever be'
    at.issued += amount
    at.issuedBy = seq
    add(TOKEN_OWNER, amount)
    return undefined
  }
  const genesis = (seq: number, { max_supply, initial }: Members): string | undefined => {
    if (at.max_supply >= 0) return 'the token was made before'
    if (!isAmount(max_supply) || !isCount(initial)) return 'it is no genesis'
    at.max_supply = max_supply
    return initial === 0 ? undefined : issue(initial, seq)
  }
  const transfer = (seq: number, { to, amount }: Members): string | undefined => {
    if (typeof to !== 'string' || to === TOKEN_OWNER || !isAmount(amount)) return 'it is no transfer'
    if (amount > at.issued - at.moved) return 'the owner has not so many units'
    ranges.push({ first: at.moved + 1, last: at.moved + amount, owner: to, seq })
    at.moved += amount
    add(TOKEN_OWNER, -amount)
    add(to, amount)
    return undefined
  }
  const mint = (seq: number, members: Members): string | undefined => {
    const mints = mintsOf(at, members)
    if (typeof mints === 'string') return mints
    const { amount, count, until } = members
    const { rate } = at
    assert(rate !== undefined, 'mints are counted by a rate')
    if (mints < 1 || count !== mints || amount !== mints * rate.amount) return 'it issues another amount than is due'
    at.rate = { ...rate, since: isCount(until) ? until : rate.since }
    at.fires = 0
    return issue(mints * rate.amount, seq)
  }
  const rate = (_: number, members: Members): string | undefined => {
    const said = rateOf(members)
    if (typeof said === 'string') return said
    at.rate = said
    at.fires = 0
    return undefined
  }
  const stopped = (): string | undefined => {
    const left = at.rate === undefined ? -1 : mintsLeft(at.rate.amount, at.max_supply - at.issued)
    if (left !== 0) return left < 0 ? 'no rate stands' : 'the mint had not come to the ceiling'
    at.rate = undefined
    return undefined
  }
  const owned = (): readonly TokenRange[] =>
    at.moved === at.issued ? [] : [{ first: at.moved + 1, last: at.issued, owner: TOKEN_OWNER, seq: at.issuedBy }]
  return {
    at,
    steps: { genesis, transfer, mint, rate, stopped },
    result: () => ({
      ...{ issued: at.issued, moved: at.moved, max_supply: Math.max(0, at.max_supply), balances },
      ranges: [...ranges, ...owned()],
    }),
  }
}

type StepName = keyof ReturnType<typeof createSums>['steps']
const stepNames: Readonly<Record<string, StepName>> = {
  [tokenEntries.genesis]: 'genesis',
  [tokenEntries.transfer]: 'transfer',
  [tokenEntries.mint]: 'mint',
  [tokenEntries.rate]: 'rate',
  [tokenEntries.stopped]: 'stopped',
}

/** A member that each entry about amounts has, open or sealed. */
const telling: Readonly<Record<StepName, string | undefined>> = {
  genesis: 'max_supply',
  transfer: 'amount',
  mint: 'amount',
  rate: 'every',
  stopped: undefined,
}

const BY_NODE: readonly string[] = [tokenEntries.transfer, tokenEntries.mint, tokenEntries.stopped]

/**
 * Adds up a token from the entries of its machine's chain alone, one after another: issues take the next numbers, and a
 * transfer takes the lowest numbers that the owner has. What the entries say of each other is for `chainWalk`.
 */
export const tallyWalk = () => {
  const { at, steps, result } = createSums()
  let [entries, withheld] = [0, 0]
  let broken: TallyReplay['broken']

  const hear = ({ type, body }: Entry): string | undefined => {
    const { outcome, fire } = membersOf(body)
    at.fire = undefined
    if (type !== 'contract_fire' || outcome !== 'fired') return undefined
    if (at.rate?.per !== 'transition' || withheld > 0) return undefined
    if (at.fires >= at.rate.every) return 'a mint is missing before it'
    at.fires += 1
    at.fire = fire
    return undefined
  }
  const tell = (entry: Entry, opened: Json | undefined): string | undefined => {
    entries += 1
    const open = membersOf(entry.body)
    const name = stepNames[entry.type]
    if (SILENT.includes(entry.type) || name === undefined) return undefined
    if (BY_NODE.includes(entry.type) && open['source'] !== 'node') return 'the node alone says that'
    const needed = telling[name]
    const members = { ...open, ...membersOf(opened) }
    if (needed !== undefined && members[needed] === undefined) withheld += 1
    if (withheld > 0) return undefined
    if (name !== 'genesis' && at.max_supply < 0) return 'there is no token yet'
    return steps[name](entry.seq, members)
  }
  return {
    /**
     * @param opened sealed members of the entry, where they are known.
     * @returns whether all of it still follows.
     */
    step: (entry: Entry, opened?: Json): boolean => {
      if (broken !== undefined) return false
      const { seq, tick, type } = entry
      const why = TOLD.includes(type) ? tell(entry, opened) : hear(entry)
      if (TOLD.includes(type)) at.fire = undefined
      if (why !== undefined) broken = { seq, tick, why }
      return broken === undefined
    },
    result: (): TallyReplay => ({ entries, withheld, ...result(), broken }),
  }
}

/** Adds up a token from a whole chain, as a chain file has it. */
export const replayTally = (entries: Iterable<Entry>): TallyReplay => {
  const walk = tallyWalk()
  for (const entry of entries) if (!walk.step(entry)) break
  return walk.result()
}

/** Whether an entry tells of its machine's token. */
export const isTokenEntry = ({ type }: Pick<Entry, 'type'>): boolean => TOLD.includes(type)
