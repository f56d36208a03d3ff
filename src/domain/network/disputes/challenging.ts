import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { type ChallengeOfWork, signChallengeWith } from '#core/dispute/challenge.ts'
import { commitmentTo } from '#core/dispute/draw.ts'
import { eventId } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { STATE_DIGEST_BYTES, stateDigestAt } from '#core/states.ts'
import type { WorkPlace } from '#core/work/published.ts'
import { saidOf } from '#core/work/said.ts'
import {
  boundsOf,
  firstDifference,
  provenStateOf,
  type SegmentName,
  segmentPlan,
  statesTree,
  stepsOf,
} from '#core/work/segments.ts'
import { outcomeDigest } from '#core/work/work.ts'
import { isChecked } from '#domain/compute/task.ts'
import { partOf, stateAt } from '#domain/network/works/parts.ts'
import type { WrongWork } from '#domain/network/works/requester/types.ts'
import { servedUntil } from '#domain/network/works/served.ts'
import type { Data, WorkData, WorkSides } from './data.ts'
import type { DisputePorts } from './types.ts'

/** The worker's digests of a run that steps, held against the root of its work; undefined while they are not here. */
const digestsOf = async (data: Data, of: WorkSides, known: WorkData): Promise<readonly string[] | undefined> => {
  const { steps } = known.dossier.work.work
  if (steps === null || known.steps === null) return undefined
  const plan = segmentPlan(known.steps)
  const inputs = known.dossier.offer.offer.inputs
  const split = (bytes: Uint8Array): readonly string[] =>
    Array.from({ length: plan.count }, (_, i) => toHex(stateDigestAt(bytes, i)))
  const isRight = (bytes: Uint8Array): boolean =>
    bytes.length === plan.count * STATE_DIGEST_BYTES && stepsOf(inputs, plan, split(bytes)).root === steps.root
  const bytes = await data.states(of, steps.root, isRight)
  return bytes === undefined || !isRight(bytes) ? undefined : split(bytes)
}

const unreachable = (): never => {
  throw new Fault('NODE_UNREACHABLE', 'The data of the work could not be had.')
}

/** Runs a work again and says where it differs; undefined where it does not. */
const createComparing = ({ parts }: Pick<DisputePorts, 'parts'>, data: Data) => {
  return async (
    of: WorkSides,
    signal: AbortSignal,
  ): Promise<(Omit<WrongWork, 'place'> & { readonly before: Uint8Array | undefined }) | undefined> => {
    const known = (await data.get(of)) ?? unreachable()
    const run = { kind: known.dossier.offer.offer.kind, inputs: known.inputs }
    const whole = await partOf(parts, run, { part: { kind: 'all' }, signal })
    if (whole.kind !== 'whole' || !isChecked(whole.checked)) {
      throw new Fault('INVALID_INPUT', '/work: a run on its inputs has no envelope here.')
    }
    const { work } = known.dossier.work
    const theirs = await digestsOf(data, of, known)
    if (work.steps !== null && theirs === undefined) return unreachable()
    const states = theirs?.map((_, i) => toHex(stateDigestAt(whole.states, i))) ?? null
    const own = outcomeDigest(saidOf(whole.checked))
    const segment = firstDifference({ states, outcome: own }, { states: theirs ?? null, outcome: outcomeDigest(work) })
    if (segment === undefined) return undefined
    const at = boundsOf(theirs?.length ?? 0, segment)
    const before =
      at.before === null ? undefined : await stateAt(parts, run, { i: at.before, kept: whole.kept, signal })
    return { segment, own: at.after === null ? own : (states?.[at.after] ?? own), before }
  }
}

/** Makes challenges: signed, proven, with what a check needs beside them. */
export const createChallenging = (ports: DisputePorts, data: Data) => {
  const { store, blobs, signer, nodeId, recorder, values } = ports

  const statesFor = (
    known: WorkData,
    digests: readonly string[] | undefined,
    segment: SegmentName,
  ): Pick<ChallengeOfWork, 'before' | 'after'> => {
    if (digests === undefined || known.steps === null) return { before: null, after: null }
    const plan = segmentPlan(known.steps)
    const tree = statesTree(known.dossier.offer.offer.inputs, plan, digests)
    const at = boundsOf(digests.length, segment)
    const proven = (i: number | null): ChallengeOfWork['before'] => {
      if (i === null) return null
      const { sha256, step, path } = provenStateOf(tree, plan, { i, sha256: digests[i] as string })
      return { sha256, step, path: [...path] }
    }
    return { before: proven(at.before), after: proven(at.after) }
  }

  /** The event by which this node has challenged that segment already. */
  const said = async (work: string, segment: SegmentName): Promise<string | undefined> => {
    for await (const [key, row] of store.range('disputed', { gte: `challenge/${work}/`, lt: `challenge/${work}0` })) {
      const { challenge } = row.payload as { readonly challenge: ChallengeOfWork }
      if (row.author === nodeId && challenge.segment === segment) return key.slice(key.lastIndexOf('/') + 1)
    }
    return undefined
  }

  /** @param before bytes of the state that the segment begins with, where this node made them itself */
  const accuse = async (
    of: WorkSides,
    { place, segment, own }: WrongWork,
    { follows = null, before }: { readonly follows?: string | null; readonly before?: Uint8Array | undefined } = {},
  ): Promise<string> => {
    const known = (await data.get(of)) ?? unreachable()
    const already = await said(place.work, segment)
    if (already !== undefined) return already
    const steps = known.dossier.work.work.steps
    const digests = await digestsOf(data, of, known)
    if (steps !== null && digests === undefined) return unreachable()
    const proofs = statesFor(known, digests, segment)
    const value = values.c(place.work, String(segment))
    const signed = await signChallengeWith(signer, {
      ...{ kind: 'wrong', place, inputs: known.dossier.offer.offer.inputs, segment, own, ...proofs, follows },
      commitment: commitmentTo({ of: 'c', about: place.work, value }),
    })
    // The challenger supplies the agreed state, so that a silent worker blocks nothing.
    const bytes = before ?? (await data.before(of, proofs))
    if (bytes !== undefined && proofs.before !== null) {
      const name = { kind: 'bytes', sha256: proofs.before.sha256 } as const
      await store.commit((tx) => blobs.put(tx, name, bytes, servedUntil(tx.meshTick)))
    }
    return eventId(await recorder.record('challenge', signed as unknown as Json))
  }

  /** Says that the data of a work cannot be had. */
  const unavailable = async (place: WorkPlace): Promise<string> => {
    const value = values.c(place.work, 'null')
    const nothing = { inputs: null, segment: null, own: null, before: null, after: null, follows: null }
    const signed = await signChallengeWith(signer, {
      ...{ kind: 'unavailable', place, ...nothing },
      commitment: commitmentTo({ of: 'c', about: place.work, value }),
    })
    return eventId(await recorder.record('challenge', signed as unknown as Json))
  }

  return { accuse, unavailable, differenceOf: createComparing(ports, data) }
}
export type Challenging = ReturnType<typeof createChallenging>
