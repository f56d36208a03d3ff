import { canonical, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { canBeOffered, estimateTicks } from '#core/work/estimate.ts'
import { BOND_WORKS_MAX } from '#core/work/exposure.ts'
import type { WorkOffer } from '#core/work/offer.ts'
import type { Parts } from '#domain/compute/parts.ts'
import type { refusalCodes } from '#domain/network/works/messages.ts'
import { TAKEN_ROWS_MAX } from '#store/works.ts'

/** Jobs that run or wait here for others, those whose inputs are still looked at among them. */
export const TASKS_MAX = 8
/** Ticks beyond an estimate that a deadline may lie: what waits a day is no offer. */
const DEADLINE_TICKS_MAX = 111_197

/** Why an offer is not taken. */
export interface OfferRefusal {
  readonly code: (typeof refusalCodes)[number]
  readonly detail: string
}

/** What of this node an offer is held against. */
export interface WorkerStanding {
  readonly node: string
  readonly policy: string
  readonly meshTick: number
  readonly takesWork: boolean
  /** Works open under the bond, and jobs that run or wait. */
  readonly open: number
  readonly tasks: number
  /** Jobs remembered. */
  readonly rows: number
  readonly codeOf: Parts['codeOf']
}

/** Why this node does not take an offer, before its inputs are looked at; undefined when it may. */
export const offerRefusal = (offer: WorkOffer, from: string, at: WorkerStanding): OfferRefusal | undefined => {
  const refuse = (code: OfferRefusal['code'], detail: string): OfferRefusal => ({ code, detail })
  if (offer.job.requester !== from) return refuse('UNFIT', 'The offer is of another node.')
  if (offer.worker !== at.node) return refuse('UNFIT', 'The offer is to another node.')
  if (!at.takesWork) return refuse('NOT_CONTRIBUTING', 'This node takes no work now.')
  if (offer.policy !== at.policy) return refuse('OTHER_POLICY', 'This node goes by another mesh policy.')
  const code = at.codeOf(offer.kind)
  if (code === undefined || canonical(code as unknown as Json) !== canonical(offer.code as unknown as Json)) {
    return refuse('OTHER_CODE', 'This node would compute it with other code.')
  }
  if (offer.deadline <= at.meshTick || offer.deadline > at.meshTick + DEADLINE_TICKS_MAX) {
    return refuse('UNFIT', 'The deadline is over, or too far away.')
  }
  if (at.open >= BOND_WORKS_MAX) return refuse('BOND_FULL', `${BOND_WORKS_MAX} works are open under the bond.`)
  if (at.tasks >= TASKS_MAX || at.rows >= TAKEN_ROWS_MAX) return refuse('BUSY', 'As many jobs run or wait as fit.')
  return undefined
}

/** Why the inputs of an offer do not fit it; undefined when they do. */
export const inputsRefusal = (offer: WorkOffer, inputs: Json, parts: Parts): OfferRefusal | undefined => {
  try {
    const { inputsDigest, workUnits } = parts.sizeOf(offer.kind, inputs)
    if (inputsDigest !== offer.inputs) return { code: 'UNFIT', detail: 'The inputs have another digest.' }
    if (canBeOffered(workUnits)) return undefined
    return { code: 'UNFIT', detail: `It would take ${estimateTicks(workUnits)} ticks.` }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { code: 'UNFIT', detail: cause.message.slice(0, 512) }
  }
}
