import type { Json } from '#core/canonical.ts'
import { commitmentTo } from '#core/dispute/draw.ts'
import type { Dispute } from '#core/dispute/fold.ts'
import { type DrawReveal, type RulingOutcome, signRulingWith } from '#core/dispute/statements.ts'
import type { DisputedRow } from '#store/disputes.ts'
import type { Data } from './data.ts'
import type { DisputePorts } from './types.ts'
import { challengeIn, type DisputeEvents } from './union.ts'

/** Ticks after which a value that came too early is said again. */
const AGAIN_TICKS = 15

const revealsIn = ({ events }: DisputeEvents, author: string): readonly (DrawReveal & Pick<DisputedRow, 'tick'>)[] =>
  [...events.values()].flatMap((row) =>
    row.type === 'reveal' && row.author === author ? [{ ...(row.payload as DrawReveal), tick: row.tick }] : [],
  )

/** Whether a challenge is about a work. */
const isOf = ({ events }: DisputeEvents, challenge: string, work: string): boolean => {
  const row = events.get(challenge)
  return row?.type === 'challenge' && challengeIn(row).place.work === work
}

/** What a node says in a dispute: its values of the draw, and what it found. */
export const createSaying = ({ recorder, signer, nodeId, values, store, parts }: DisputePorts, data: Data) => {
  const reveal = async (dispute: Dispute, read: DisputeEvents): Promise<void> => {
    const { work, id, course, challenge } = dispute
    const own = revealsIn(read, nodeId)
    const said = own.filter((it) => it.challenge === id)
    if (nodeId === work.worker && work.terms !== null && !said.some((it) => it.of === 'w')) {
      const { offer } = work.terms
      const n = own.filter((it) => it.of === 'w' && isOf(read, it.challenge, work.work)).length
      const next = commitmentTo({ of: 'w', about: offer, value: values.w(offer, n + 1) })
      const payload: DrawReveal = { of: 'w', challenge: id, value: values.w(offer, n), next, after: null }
      await recorder.record('reveal', payload as unknown as Json)
    } else if (nodeId === challenge.author && course?.draw.c === null) {
      // What a clock that is ahead said too early counts for nothing, and is said again.
      const after = course.draw.w?.event ?? null
      if (said.some((it) => it.of === 'c' && it.after === after && store.now().meshTick - it.tick < AGAIN_TICKS)) return
      const value = values.c(work.work, String(challenge.payload.segment))
      const payload: DrawReveal = { of: 'c', challenge: id, value, next: null, after }
      await recorder.record('reveal', payload as unknown as Json)
    }
  }

  const rule = async (dispute: Dispute, outcome: RulingOutcome, recomputed: string | null): Promise<void> => {
    const kind = data.known(dispute.work.work)?.dossier.offer.offer.kind ?? ''
    const code = recomputed === null ? null : (parts.codeOf(kind) ?? null)
    const said = { challenge: dispute.id, work: dispute.work.work, outcome, recomputed }
    const signed = await signRulingWith(signer, {
      ...said,
      code: code === null ? null : { ...code, kernels: { ...code.kernels } },
    })
    await recorder.record('ruling', signed as unknown as Json)
  }

  return { reveal, rule }
}
