import type { Fault } from '#core/fault.ts'
import { type SignedState, STATE_TOKENS_MAX } from '#core/token/state.ts'
import { type AwayFacts, type AwayTokenRow, awayKey, lotKey } from '#store/away.ts'
import { putBlob } from '#store/blobs.ts'
import type { Transaction } from '#store/transaction.ts'
import type { HomeAsk } from './ask.ts'
import type { AbroadContext, Turn } from './context.ts'
import { enter, leave, tokenIn } from './keep.ts'

/** Mesh ticks after which a home is asked again about tokens of a lot, and after which its word counts no more. */
const ASK_AFTER_TICKS = 120
export const STATED_TICKS = 480

/** Lots whose last word is remembered; beyond this they are read anew. */
const LOTS_REMEMBERED_MAX = 65_536

/** A token that arrives: verified, and not yet anybody's here. */
export interface Newcomer {
  readonly token_id: string
  readonly brought_by: string
  readonly facts: AwayFacts
  readonly bundle: Uint8Array
}

/** Tokens of one owner and one home whose serial numbers are near: as many as a home tells of at once. */
interface Lot {
  readonly zid: string
  readonly home: string
  readonly number: number
}

const keyOfLot = ({ zid, home, number }: Lot): string => lotKey(zid, home, number * STATE_TOKENS_MAX)

/** What a home said of those who were in a lot, and of those who come. */
interface Said {
  readonly signed: SignedState
  readonly kept: readonly AwayTokenRow[]
  readonly newcomers: readonly Newcomer[]
}

/** Those who were there: whom the home leaves out goes. */
const writeKept = (tx: Transaction, { signed, kept }: Said): void => {
  const said = new Map(signed.state.tokens.map((it) => [it.token_id, it]))
  for (const { owner, serial } of kept) {
    const row = tx.get('awayToken', awayKey(owner, serial))
    if (row === undefined) continue
    const now = said.get(row.token_id)
    if (now === undefined) {
      leave(tx, row)
      continue
    }
    const { soulbound, lock, spend_seq } = now
    tx.put('awayToken', awayKey(owner, serial), { ...row, soulbound, lock, spend_seq })
  }
}

/** Writes what a home said. */
const write = (tx: Transaction, lot: Lot, all: Said): void => {
  const { zid, number } = lot
  const { signed, newcomers } = all
  writeKept(tx, all)
  const said = new Map(signed.state.tokens.map((it) => [it.token_id, it]))
  let serial = Math.max(tx.get('awaySerial', zid) ?? 0, number * STATE_TOKENS_MAX)
  for (const { token_id, brought_by, facts, bundle } of newcomers) {
    const [now, before] = [said.get(token_id), tokenIn(tx, token_id)]
    if (now === undefined || before?.brought_by === brought_by) continue
    if (before !== undefined) leave(tx, before)
    const { soulbound, lock, spend_seq } = now
    const whose = { token_id, serial, owner: zid, folder: '', brought_by, facts, soulbound, lock, spend_seq }
    enter(tx, { ...whose, bundle: putBlob(tx.put, bundle), bytes: bundle.length })
    serial += 1
  }
  tx.put('awaySerial', zid, serial)
  if (said.size === 0) tx.del('awayState', keyOfLot(lot))
  else tx.put('awayState', keyOfLot(lot), signed)
}

/** What is known of tokens of other homes, by what these signed. */
export const createLots = ({ store }: AbroadContext, ask: Pick<HomeAsk, 'state'>, turn: Turn) => {
  /** Lot → when its home spoke of it last: a state is too long to be read for each token that is shown. */
  const spoke = new Map<string, number>()
  const remember = (key: string, tick: number): number => {
    if (spoke.size >= LOTS_REMEMBERED_MAX) spoke.clear()
    spoke.set(key, tick)
    return tick
  }

  const rowsOf = async ({ zid, home, number }: Lot): Promise<AwayTokenRow[]> => {
    const from = number * STATE_TOKENS_MAX
    const bounds = { gte: awayKey(zid, from), lt: awayKey(zid, from + STATE_TOKENS_MAX) }
    const rows: AwayTokenRow[] = []
    for await (const [, row] of store.range('awayToken', bounds)) if (row.facts.home === home) rows.push(row)
    return rows
  }

  const settle = async (lot: Lot, newcomers: readonly Newcomer[]): Promise<void> => {
    const kept = await rowsOf(lot)
    const ids = [...new Set([...kept, ...newcomers].map((it) => it.token_id))]
    if (ids.length === 0) {
      await store.commit((tx) => tx.del('awayState', keyOfLot(lot)))
      return
    }
    const signed = await ask.state(lot.home, lot.zid, ids)
    await store.commit((tx) => {
      tx.onDurable(() => void remember(keyOfLot(lot), signed.state.mesh_tick))
      write(tx, lot, { signed, kept, newcomers })
    })
  }

  return {
    /** Takes tokens of one home in that are their owner's by its word now. @throws Fault as `HomeAsk.state` */
    takeIn: (zid: string, home: string, newcomers: readonly Newcomer[]): Promise<void> =>
      turn(zid, async () => {
        let left = newcomers
        while (left.length > 0) {
          const next = store.peek('awaySerial', zid) ?? 0
          const room = STATE_TOKENS_MAX - (next % STATE_TOKENS_MAX)
          await settle({ zid, home, number: Math.floor(next / STATE_TOKENS_MAX) }, left.slice(0, room))
          left = left.slice(room)
        }
      }),

    /** Asks the home again about tokens whose lock or count changed. Those that it leaves out go. */
    again: async (rows: readonly AwayTokenRow[]): Promise<void> => {
      const lots = new Map<string, Lot>()
      for (const { owner: zid, facts, serial } of rows) {
        const number = Math.floor(serial / STATE_TOKENS_MAX)
        lots.set(lotKey(zid, facts.home, serial), { zid, home: facts.home, number })
      }
      for (const lot of lots.values()) await turn(lot.zid, () => settle(lot, []))
    },

    /** When the home of a token spoke of it last. */
    statedAt: ({ owner, facts, serial }: AwayTokenRow): number => {
      const key = lotKey(owner, facts.home, serial)
      return spoke.get(key) ?? remember(key, store.peek('awayState', key)?.state.mesh_tick ?? 0)
    },

    /** Asks again what was not asked for long, one lot of each home that is there. @returns refusals, for the log */
    refresh: async (isThere: (home: string) => boolean): Promise<readonly Fault[]> => {
      const { meshTick } = store.now()
      const refused: Fault[] = []
      const asked = new Set<string>()
      for await (const [key, { state }] of store.range('awayState')) {
        const { home, zid, mesh_tick } = state
        if (mesh_tick + ASK_AFTER_TICKS > meshTick || asked.has(home) || !isThere(home)) continue
        asked.add(home)
        const number = Number.parseInt(key.slice(key.lastIndexOf('/') + 1), 16)
        await turn(zid, () => settle({ zid, home, number }, [])).catch((cause: Fault) => refused.push(cause))
      }
      return refused
    },
  }
}
export type Lots = ReturnType<typeof createLots>
