import { Fault } from '#core/fault.ts'
import type { TokenList, TokenPlace } from '#core/token/list.ts'
import { lockAt, STATE_TOKENS_MAX } from '#core/token/state.ts'
import { packLong } from '#domain/economy/moving/lists.ts'
import type { FetchOptions } from './fetch.ts'
import { tokenIn } from './keep.ts'

/** The list of tokens as their home has them now. @throws Fault NOT_FOUND, SOULBOUND, ENVELOPE_LOCKED */
export const createFresh =
  ({ ask, lots, context: { store } }: FetchOptions) =>
  async (zid: string, home: string, tokens: readonly string[]): Promise<TokenList> => {
    const places: TokenPlace[] = []
    for (let at = 0; at < tokens.length; at += STATE_TOKENS_MAX) {
      const asked = tokens.slice(at, at + STATE_TOKENS_MAX)
      const { state } = await ask.state(home, zid, asked)
      const said = new Map(state.tokens.map((it) => [it.token_id, it]))
      for (const token_id of asked) {
        const now = said.get(token_id)
        if (now === undefined) {
          const row = tokenIn({ get: store.peek }, token_id)
          if (row !== undefined) await lots.again([row]).catch(() => undefined)
          throw new Fault('NOT_FOUND', undefined, { token_id })
        }
        if (now.soulbound) throw new Fault('SOULBOUND', undefined, { token_id })
        const lock = lockAt(now.lock, store.now().meshTick)
        if (lock !== null) throw new Fault('ENVELOPE_LOCKED', undefined, { token_id, ...lock })
        places.push({ token_id, spend_seq: now.spend_seq })
      }
    }
    return packLong(places)
  }
