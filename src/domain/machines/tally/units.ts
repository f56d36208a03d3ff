import { Fault } from '#core/fault.ts'
import { TOKEN_OWNER } from '#core/token-ranges.ts'
import { reaches } from '#domain/credentials/standing.ts'
import type { MachineContext, MachineRequest } from '#domain/machines/context.ts'
import type { TokenRanges, TokenUnit } from '#domain/machines/views/tally.ts'
import { keyOf, seqKey, seqOf, under } from '#store/layout.ts'
import type { TokenRangeRow } from '#store/rows/machine-token-range.ts'
import { type TokenFound, tokenFor } from './parts.ts'

/** Ranges that one page looks at. */
const LOOKED_MAX = 10_000

type Range = TokenRanges['ranges'][number]

/** A page of ranges: after the unit that the reader has last. */
export interface TokenRangeQuery {
  /** ZID, or `owner`. */
  readonly owner?: string
  readonly after?: number
  readonly limit: number
}

const rangeOf = (first: number, { last, owner, seq }: Omit<TokenRangeRow, 'tick' | 'open'>): Range => ({
  ...{ first, last, count: last - first + 1 },
  ...{ owner, seq },
})

/** What a caller may see of where units are. */
const sightOf = ({ caller }: MachineRequest, { standing, now, machine }: TokenFound) => {
  const own = caller.kind === 'account' || caller.kind === 'owner' ? caller.zid : undefined
  const all = standing === 'owner'
  return {
    range: ({ open, owner }: TokenRangeRow): boolean => all || open || owner === own,
    /** What the owner has left tells how much has gone. */
    rest: all || (machine.is_public && now.sealed === 0),
  }
}

/** Rows of units, by number and by holder. */
const createRangeRows = ({ store }: MachineContext) => {
  const newestIssue = async (digits: string): Promise<number> => {
    for await (const [, { seq }] of store.range('tokenIssue', { ...under(digits), reverse: true, limit: 1 })) return seq
    throw new Error('units were issued by an entry')
  }

  /** Ranges from a unit on, in order: all, or those of one holder. */
  async function* rangesFrom(digits: string, from: number, holder: string | undefined) {
    const [gte, to] =
      holder === undefined
        ? [keyOf(digits, seqKey(from)), under(digits)]
        : [keyOf(digits, holder, seqKey(from)), under(digits, holder)]
    const range = { gte, lt: to.lt, limit: LOOKED_MAX }
    const keys = holder === undefined ? store.range('tokenRange', range) : store.range('tokenRangeOf', range)
    for await (const [key] of keys) {
      const first = seqOf(key.slice(key.lastIndexOf('/') + 1))
      const row = store.peek('tokenRange', keyOf(digits, seqKey(first)))
      if (row !== undefined) yield [first, row] as const
    }
  }

  /** The row that a unit is in. */
  const rowAt = async <T extends 'tokenIssue' | 'tokenRange'>(table: T, digits: string, unit: number) => {
    const range = { gte: under(digits).gte, lte: keyOf(digits, seqKey(unit)), reverse: true, limit: 1 }
    for await (const [key, row] of store.range(table, range)) {
      return { first: seqOf(key.slice(digits.length + 1)), row }
    }
    return undefined
  }

  return { newestIssue, rangesFrom, rowAt }
}

const holderOf = ({ owner }: TokenRangeQuery, { machine, standing }: TokenFound): string | undefined =>
  // Members alone know who the owner is: to anybody else the ZID tells nothing.
  owner === machine.owner_zid && reaches(standing, 'viewer') ? TOKEN_OWNER : owner

/** Units of tokens by their numbers. */
export const createUnits = (context: MachineContext, settle: (slug: string) => Promise<void>) => {
  const { store } = context
  const { newestIssue, rangesFrom, rowAt } = createRangeRows(context)

  const page = async (asking: MachineRequest, query: TokenRangeQuery): Promise<TokenRanges> => {
    const found = tokenFor({ get: store.peek }, asking, 'none')
    const { machine, asset, digits, now } = found
    const { after = 0, limit } = query
    const sight = sightOf(asking, found)
    const holder = holderOf(query, found)
    const ranges: Range[] = []
    let withheld = false
    let looked = 0
    let last = after
    const rows = holder === TOKEN_OWNER ? [] : rangesFrom(digits, after + 1, holder)
    for await (const [first, row] of rows) {
      looked += 1
      last = row.last
      if (sight.range(row)) ranges.push(rangeOf(first, row))
      else withheld = true
      if (ranges.length >= limit || looked >= LOOKED_MAX) break
    }
    const answer = { slug: machine.slug, asset, issued: now.issued, ranges }
    const more = ranges.length >= limit || looked >= LOOKED_MAX
    if (more && last < now.issued) return { ...answer, next_after: last, withheld }
    const rest = now.issued > now.moved && after < now.issued && (holder === undefined || holder === TOKEN_OWNER)
    if (rest && sight.rest) {
      const row = { last: now.issued, owner: TOKEN_OWNER, seq: await newestIssue(digits) }
      ranges.push(rangeOf(now.moved + 1, row))
    }
    return { ...answer, next_after: null, withheld: withheld || (rest && !sight.rest) }
  }

  const unit = async (asking: MachineRequest, token_id: number): Promise<TokenUnit> => {
    const found = tokenFor({ get: store.peek }, asking, 'none')
    const { machine, asset, digits, now } = found
    const of = { slug: machine.slug, asset, token_id }
    const issue = await rowAt('tokenIssue', digits, token_id)
    if (token_id > now.issued || issue === undefined) {
      throw new Fault('NOT_FOUND', `There are ${now.issued} units of the token.`, { issued: now.issued })
    }
    const sight = sightOf(asking, found)
    const issued = { seq: issue.row.seq, tick: issue.row.tick }
    const moved = token_id > now.moved ? undefined : await rowAt('tokenRange', digits, token_id)
    const seen = moved === undefined ? sight.rest : sight.range(moved.row)
    if (!seen) return { ...of, owner: null, range: null, issued: null, moves: [], withheld: true }
    if (moved === undefined) {
      const row = { last: now.issued, owner: TOKEN_OWNER, seq: await newestIssue(digits) }
      const range = rangeOf(now.moved + 1, row)
      return { ...of, owner: TOKEN_OWNER, range, issued, moves: [], withheld: false }
    }
    const { owner, seq, tick } = moved.row
    const moves = [{ seq, tick, to: owner }]
    return { ...of, owner, range: rangeOf(moved.first, moved.row), issued, moves, withheld: false }
  }

  return {
    /** Ranges in the order of their units. @throws Fault NOT_FOUND also without token. */
    tokenRanges: async (asking: MachineRequest, query: TokenRangeQuery): Promise<TokenRanges> => {
      await settle(asking.slug)
      return page(asking, query)
    },
    /** One unit. @throws Fault NOT_FOUND for one that was never issued. */
    tokenUnit: async (asking: MachineRequest, token_id: number): Promise<TokenUnit> => {
      await settle(asking.slug)
      return unit(asking, token_id)
    },
  }
}
