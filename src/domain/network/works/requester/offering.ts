import { toHex } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { auditCommitment, auditRate } from '#core/work/audit.ts'
import { estimateTicks } from '#core/work/estimate.ts'
import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import type { JobName } from '#core/work/job.ts'
import { putsAtRisk, type SignedOffer, signOfferWith } from '#core/work/offer.ts'
import { randomBytes } from '#crypto'
import type { ElsewhereOrder } from '#domain/compute/elsewhere.ts'
import { INPUTS_INLINE_MAX } from '#domain/network/works/messages.ts'
import { servedUntil } from '#domain/network/works/served.ts'
import type { GivenRow } from '#store/works.ts'
import { type GivenJobs, givenKey } from './given.ts'
import { poolOf } from './pool.ts'
import type { RequesterPorts } from './types.ts'

/** Ticks that a job may last beyond twice its estimate: it waits for a thread, and for the node's own work. */
const SLACK_TICKS = DISPUTE_TICKS
const SECRET_BYTES = 32

/** An offer with what only its requester knows of it. */
export interface Offering {
  readonly key: string
  readonly offer: SignedOffer
  readonly q: string
  readonly rate: number
  /** Inputs that travel inside the offer; null where they are pulled. */
  readonly inline: Json | null
}

/** Makes an offer to one worker: what it commits to is durable before anybody sees it. */
export const offerTo = async (
  ports: Pick<RequesterPorts, 'store' | 'signer' | 'nodeId' | 'policy' | 'poolTicks' | 'auditRate' | 'blobs'>,
  given: GivenJobs,
  {
    order,
    job,
    attempt,
    worker,
  }: { readonly order: ElsewhereOrder; readonly job: JobName; readonly attempt: number; readonly worker: string },
): Promise<Offering> => {
  const { store, blobs } = ports
  const { meshTick } = store.now()
  const q = toHex(randomBytes(SECRET_BYTES))
  const rate = auditRate(given.recordOf(worker).v, { r: ports.auditRate, steps: order.steps !== null })
  const pool = order.consent ? await poolOf(store, job, meshTick - ports.poolTicks) : []
  const offer = await signOfferWith(ports.signer, {
    ...{ job, attempt, worker, kind: order.kind, inputs: order.inputsDigest, pool: [...pool] },
    code: { ...order.code, kernels: { ...order.code.kernels } },
    deadline: meshTick + 2 * estimateTicks(order.workUnits) + SLACK_TICKS,
    policy: ports.policy,
    at_risk: putsAtRisk({ pool: [...pool], job, worker }),
    disclosed: order.consent,
    audit: auditCommitment(q, rate),
    mesh_tick: meshTick,
  })
  const fresh: GivenRow = {
    ...{ state: 'offered', offer, q, rate, accept: null, work: null, found: null },
    ...{ wrong: null, published: null, told: false, token_id: null, reason: null },
  }
  const bytes = canonicalBytes(order.inputs)
  const key = givenKey({ job, attempt })
  await given.change(key, (_, tx) => {
    const until = servedUntil(offer.offer.deadline + DISPUTE_TICKS)
    blobs.put(tx, { kind: 'inputs', digest: order.inputsDigest }, bytes, until)
    return fresh
  })
  return { key, offer, q, rate, inline: bytes.length <= INPUTS_INLINE_MAX ? order.inputs : null }
}
