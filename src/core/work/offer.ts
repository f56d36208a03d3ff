import Type, { type Static } from 'typebox'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { closed, fitting, hex64, meshTick, nodeId, oneOf, signature } from '#core/schema.ts'
import { signedDocument } from '#core/signed-document.ts'
import { codeSchema } from '#core/verdict.ts'
import { attemptSchema, jobSchema } from './job.ts'

/** Nodes of a pool. */
export const POOL_MAX = 64
/** Members beside the parties without whom no bond is at risk (trust.md, Job). */
export const POOL_MIN = 3

/** Form of what a requester offers to one worker. */
export const offerSchema = closed(
  {
    job: jobSchema,
    attempt: attemptSchema(),
    worker: nodeId({ description: 'To whom it is offered.' }),
    kind: Type.String({ pattern: patterns.solverName, description: 'Name of the solver.' }),
    inputs: hex64({ description: 'inputs_digest of the full inputs.' }),
    code: codeSchema,
    deadline: meshTick({ description: 'The last mesh tick at which an answer counts.' }),
    policy: Type.Union([hex64({ description: "SHA-256 of the requester's mesh policy." }), oneOf(['open'])]),
    pool: Type.Array(nodeId(), { maxItems: POOL_MAX, description: 'Who may be drawn to rule, ascending.' }),
    at_risk: Type.Boolean({
      description: 'Whether a bond is: false with fewer than 3 pool members beside the parties.',
    }),
    disclosed: Type.Boolean({ description: 'Whether the inputs may be read by the pool and by whoever disputes.' }),
    audit: hex64({ description: 'Commitment to q and rate.' }),
    mesh_tick: meshTick({ description: 'When it was signed.' }),
  },
  { title: 'Offer' },
)
/** An offer of work (trust.md, Job). */
export type WorkOffer = Static<typeof offerSchema>

/** Form of an offer with its requester's signature. */
export const signedOfferSchema = closed({ offer: offerSchema, signature: signature() }, { title: 'SignedOffer' })
export type SignedOffer = Static<typeof signedOfferSchema>

const document = signedDocument<'offer', WorkOffer>('offer', purposes.offer)

/** An offer's name: its digest under `tickmesh/offer/1`. */
export const offerDigest = document.digest

/** Members of the pool beside the parties, in the pool's order. */
export const poolBeside = (pool: readonly string[], parties: readonly string[]): readonly string[] =>
  pool.filter((node) => !parties.includes(node))

/** Whether an offer puts the worker's bond at risk: the pool has 3 members or more beside requester and worker. */
export const putsAtRisk = ({ pool, job, worker }: Pick<WorkOffer, 'pool' | 'job' | 'worker'>): boolean =>
  poolBeside(pool, [job.requester, worker]).length >= POOL_MIN

const refuse = (why: string): never => {
  throw new Fault('INVALID_INPUT', why)
}

const isAscending = (names: readonly string[]): boolean =>
  names.every((name, i) => i === 0 || (names[i - 1] as string) < name)

/** Holds an offer against the rules that its form cannot say. @throws Fault INVALID_INPUT naming the member. */
export const assertOffer = (offer: WorkOffer): void => {
  if (offer.worker === offer.job.requester) refuse('/worker: a requester offers to others.')
  if (!isAscending(offer.pool)) refuse('/pool: the nodes stand in ascending order, none twice.')
  if (offer.at_risk !== putsAtRisk(offer))
    refuse(`/at_risk: it is true iff ${POOL_MIN} members are beside the parties.`)
  if (offer.at_risk && !offer.disclosed) refuse('/disclosed: inputs of a job under a bond are disclosed.')
  if (offer.deadline <= offer.mesh_tick) refuse('/deadline: it lies after the tick of the offer.')
}

/** Signs an offer; 128 hex digits. */
export const signOffer = document.sign

/** As {@link signOffer}, on the signer's thread. */
export const signOfferWith = document.signWith

/**
 * Reads a signed offer: form, rules, and the signature of the requester that its job names.
 *
 * @throws Fault INVALID_INPUT, BAD_SIGNATURE
 */
export const readOffer = (value: unknown): SignedOffer => {
  const signed = fitting(signedOfferSchema, value)
  assertOffer(signed.offer)
  const { requester } = signed.offer.job
  document.assertBy(signed, requester, 'requester')
  return signed
}
