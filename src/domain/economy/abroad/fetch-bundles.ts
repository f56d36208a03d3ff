import type { Fault } from '#core/fault.ts'
import { type AwayMoveRow, factsOf } from '#store/away.ts'
import type { HomeAsk } from './ask.ts'
import type { AbroadContext } from './context.ts'
import { ToldFault } from './forms.ts'
import { tokenIn } from './keep.ts'
import type { Newcomer } from './lots.ts'

/** Bundles of one arrival that are asked for one by one before they are taken in, and at once. */
const ONE_BY_ONE = 64
const ASKED_AT_ONCE = 4

/** Some of the tokens of an op. */
interface Fetched {
  readonly newcomers: readonly Newcomer[]
  /** How many of the first were asked for. */
  readonly taken: number
  /** Why the next one is not believed. */
  readonly doubt: Fault | undefined
}

/** Brings bundles of the first of some tokens of an op. @throws Fault, Error when it has to be tried again */
export type FetchSome = (move: AwayMoveRow, to: string, some: readonly string[]) => Promise<Fetched>

/** The way by which bundles come: several at once, and one by one from a node that knows no such question. */
export const createBundleFetch = (
  { store }: Pick<AbroadContext, 'store'>,
  ask: Pick<HomeAsk, 'bundle' | 'bundles'>,
): FetchSome => {
  /** The bundle of a token that is on its way; undefined when it went on already. */
  const fetchOne = async (move: AwayMoveRow, to: string, token_id: string): Promise<Newcomer | undefined> => {
    if (tokenIn({ get: store.peek }, token_id)?.brought_by === move.digest) return undefined
    try {
      const { bytes, bundle } = await ask.bundle(move.op.home, to, token_id)
      return { token_id, brought_by: move.digest, facts: factsOf(bundle), bundle: bytes }
    } catch (cause) {
      if (cause instanceof ToldFault && cause.code === 'NOT_FOUND') return undefined
      throw cause
    }
  }

  /** As a node of before is asked, which knows no question for several bundles. */
  const fetchApart = async (move: AwayMoveRow, to: string, some: readonly string[]): Promise<Fetched> => {
    const tokens = some.slice(0, ONE_BY_ONE)
    const [waiting, found]: [string[], Newcomer[]] = [[...tokens], []]
    const fetcher = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const one = await fetchOne(move, to, next)
        if (one !== undefined) found.push(one)
      }
    }
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, fetcher))
    return { newcomers: found, taken: tokens.length, doubt: undefined }
  }

  /** The bundles of the first of some tokens, but of those that are here or went on. */
  const fetchTogether = async (move: AwayMoveRow, to: string, some: readonly string[]): Promise<Fetched> => {
    const { op, digest } = move
    const isHere = (token: string): boolean => tokenIn({ get: store.peek }, token)?.brought_by === digest
    const wanted = some.filter((token) => !isHere(token))
    if (wanted.length === 0) return { newcomers: [], taken: some.length, doubt: undefined }
    const { found, doubt } = await ask.bundles(op.home, to, wanted)
    const newcomers = found.flatMap((it, i): Newcomer[] => {
      if (it === undefined) return []
      return [{ token_id: wanted[i] ?? '', brought_by: digest, facts: factsOf(it.bundle), bundle: it.bytes }]
    })
    const next = wanted[found.length]
    return { newcomers, taken: next === undefined ? some.length : some.indexOf(next), doubt }
  }

  return async (move, to, some) => {
    try {
      return await fetchTogether(move, to, some)
    } catch (cause) {
      if (!(cause instanceof ToldFault && cause.code === 'INVALID_INPUT')) throw cause
      return fetchApart(move, to, some)
    }
  }
}
