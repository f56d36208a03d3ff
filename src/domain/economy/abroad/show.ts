import { CHUNK_TOKENS, placesOf } from '#core/token/list.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import type { BundlePath } from '#domain/economy/economy.ts'
import { moveOf, SHOWN_TOKENS_MAX } from '#domain/economy/moving/show.ts'
import { tiesOf } from '#domain/economy/moving/ties.ts'
import type { EnvelopeItem, Move } from '#domain/economy/views.ts'
import { tokenProofOf } from '#domain/network/token-evidence.ts'
import type { AwayMoveRow, AwayTokenRow } from '#store/away.ts'
import { signerZid } from './ask.ts'
import type { AbroadContext } from './context.ts'
import { listOf } from './keep.ts'
import { type Lots, STATED_TICKS } from './lots.ts'

/** Whether a token counts here, by the logs that minted it and that moved it. */
const standingIn = ({ ports, store }: AbroadContext, row: AwayTokenRow, move: AwayMoveRow | undefined) => {
  if (tokenProofOf({ get: store.peek }, row.facts.home) !== undefined) {
    return { counted: false, uncounted: 'evidence' as const }
  }
  const standingOf = ports()?.standingOf
  const logs = [
    { origin: row.facts.home, index: row.facts.index },
    ...(move === undefined ? [] : [{ origin: move.receipt.log, index: move.receipt.index }]),
  ]
  for (const { origin, index } of standingOf === undefined ? [] : logs) {
    const { counts, up_to, because } = standingOf?.(origin) ?? { counts: true, up_to: null, because: 'open' as const }
    if (counts && (up_to === null || index < up_to)) continue
    if (because !== 'open' && because !== 'policy') return { counted: false, uncounted: because }
  }
  return { counted: true, uncounted: null }
}

/** Shows tokens of other homes as their owners see them. */
export const createShowAway = (context: AbroadContext, lots: Pick<Lots, 'statedAt'>, bundlePath: BundlePath) => {
  const { store } = context
  /** What its home said holds until it has been silent for long. */
  const tiesNow = (row: AwayTokenRow) => {
    const { meshTick } = store.now()
    return tiesOf(row, meshTick, lots.statedAt(row) + STATED_TICKS < meshTick)
  }

  return {
    item: (row: AwayTokenRow): EnvelopeItem => {
      const { token_id, facts, owner, soulbound, folder, brought_by } = row
      const { home, hash, index, kind, operators, value, unit, face, tick, phase, funding, issued_to } = facts
      const move = store.peek('awayMove', brought_by)
      return {
        ...{ token_id, hash, log: home, index, kind, operators, value, unit, face_value: face, tick, phase, funding },
        ...{ issued_to, owner, soulbound, backs: null, state: 'sealed', late: false, witnessed: 0, folder, home },
        where: 'elsewhere',
        arrival: move?.received === true ? 'received' : 'arriving',
        ...standingIn(context, row, move),
        ...tiesNow(row),
        ...{ published: false, shared: false, precisionActual: facts.precision_actual, bundle: bundlePath(token_id) },
      }
    },

    /** @param zid who looks */
    move: async (
      row: AwayMoveRow,
      { zid, tokensMax = SHOWN_TOKENS_MAX }: { readonly zid: string; readonly tokensMax?: number },
    ): Promise<Move> => {
      const { digest } = row
      const list = row.op.count <= Math.min(tokensMax, CHUNK_TOKENS) ? await listOf(store, digest) : new Uint8Array(0)
      const { op, public_key, signature, receipt, receipt_signature, proof } = row
      const signed = { op, public_key, signature, receipt, receipt_signature }
      const file = { v: 1, kind: 'token-receipt', ...signed, proof } as const
      const whole = list.length === 0 ? file : { ...file, list: [...placesOf(list)] }
      return moveAway(whole, { zid, tick: row.tick })
    },
  }
}
export type ShowAway = ReturnType<typeof createShowAway>

/** A receipt of another home as those see it whom it concerns. @param tick node tick when it was learned of */
export const moveAway = (
  file: TokenReceiptFile,
  { zid, tick }: { readonly zid: string; readonly tick: number },
): Move => {
  const state = file.proof === null ? 'promised' : 'sealed'
  return moveOf(file, { zid, from: signerZid(file), tick, serial: null, state })
}
