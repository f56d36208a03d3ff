import type { Static, TObject } from 'typebox'
import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { assertProves, type CheckOutcome, claimedAt, outcomeOf, readChallenge } from '#core/dispute/challenge.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { readAccept } from '#core/work/accept.ts'
import { readOffer } from '#core/work/offer.ts'
import { saidOf } from '#core/work/said.ts'
import { outcomeDigest, readWork, voidBecause } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import { constantsDigest } from '#numerics/operators/constants.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { type Judged, produce, produceEnd } from './gate.ts'
import { resolveInput } from './input.ts'
import { codeOf } from './replay.ts'
import { beginRun, runSegment } from './segment.ts'
import { aided, type Progress, type Solver } from './solver.ts'

/** What a node shows of a dispute for whoever checks it. Nothing of it is believed. */
export interface DisputedEvidence {
  readonly challenger: string
  readonly worker: string
  /** The challenge and its signature, as its event has them. */
  readonly challenge: unknown
  readonly signature: string
  /** What requester and worker signed; null where the node does not have it. */
  readonly dossier: { readonly offer: unknown; readonly accept: unknown; readonly work: unknown } | null
  readonly inputs: unknown
  /** Bytes of the state that the segment begins with, and the records of the run; undefined where none is at hand. */
  readonly before: Uint8Array | undefined
  readonly records: Uint8Array | undefined
}

/** One thing that was looked at. */
export interface RecheckStep {
  readonly step: 'signatures' | 'inputs' | 'proof' | 'code' | 'state' | 'run'
  readonly state: 'ok' | 'failed' | 'skipped'
  readonly detail: string
}

/** What came of running a disputed segment again. `unchecked`: nothing could be run, and nobody is accused. */
export interface Rechecked {
  readonly outcome: CheckOutcome | 'unchecked'
  /** What this run has at the end of the segment; null where it did not come to it. */
  readonly recomputed: string | null
  readonly claimed: string | null
  readonly own: string | null
  readonly steps: readonly RecheckStep[]
}

/** Ends a check before its run, at the step that does not hold. */
class Stopped extends Error {
  readonly step: RecheckStep['step']
  readonly state: RecheckStep['state']

  constructor(step: RecheckStep['step'], detail: string, state: RecheckStep['state'] = 'failed') {
    super(detail)
    this.step = step
    this.state = state
  }
}

const readAll = ({ challenge, signature, challenger, worker, dossier }: DisputedEvidence) => {
  try {
    const signed = readChallenge({ challenge, signature }, challenger)
    if (dossier === null) throw new Stopped('signatures', 'The node does not have what was signed.', 'skipped')
    const { offer } = readOffer(dossier.offer)
    readAccept(dossier.accept, offer)
    const { work } = readWork(dossier.work, worker)
    const isVoid = voidBecause(offer, work)
    if (isVoid !== undefined) throw new Stopped('signatures', isVoid)
    return { challenge: signed.challenge, offer, work }
  } catch (cause) {
    if (cause instanceof Fault) throw new Stopped('signatures', cause.message)
    throw cause
  }
}
type Read = ReturnType<typeof readAll>

const inputOf = (solver: Solver, { offer }: Read, inputs: unknown): Static<TObject> => {
  if (inputs === null || inputs === undefined) throw new Stopped('inputs', 'The node does not have them.', 'skipped')
  try {
    const input = resolveInput(solver, inputs)
    if (inputsDigest(solver.input, input) === offer.inputs) return input
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
  }
  throw new Stopped('inputs', 'They are not those that the worker accepted.')
}

const solverOf = ({ offer }: Read, registry: () => OperatorRegistry): Solver => {
  const found = solverByName(offer.kind)
  if (found === undefined) throw new Stopped('code', `There is no solver ${offer.kind} here.`, 'skipped')
  const code = { ...codeOf(found), registry: registry().version, constants: constantsDigest }
  if (canonical(code as unknown as Json) !== canonical(offer.code as unknown as Json)) {
    throw new Stopped('code', 'It was computed by another version: this one can say nothing of it.', 'skipped')
  }
  return aided(found, { registry })
}

const digestOf = ({ resultDigest, reality }: Judged<Static<TObject>, unknown>): string => {
  if (reality === null) throw new Fault('INVALID_INPUT', 'A run on these inputs is not sealed.')
  return outcomeDigest(saidOf({ resultDigest, reality }))
}

interface Running {
  readonly solver: Solver
  readonly input: Static<TObject>
  readonly evidence: DisputedEvidence
  readonly progress: Progress
}

/** Runs a segment. @returns SHA-256 of the state that it ends with, or the digest of the outcome. @throws Fault */
const run = ({ challenge: { segment } }: Read, { solver, input, evidence, progress }: Running): string => {
  const { before: bytes = new Uint8Array(0), records = new Uint8Array(0) } = evidence
  if (segment === 'all') return digestOf(produce(solver, input, { progress }))
  if (segment === 'finish') return digestOf(produceEnd(solver, input, { bytes, records }))
  if (typeof segment !== 'number') return toHex(sha256(beginRun(solver, input).bytes))
  return toHex(sha256(runSegment(solver, input, { index: segment, bytes, progress }).bytes))
}

const assertState = ({ challenge: { before, segment } }: Read, evidence: DisputedEvidence): void => {
  if (before !== null && evidence.before === undefined) {
    throw new Stopped('state', 'The node does not show the state that the segment begins with.', 'skipped')
  }
  if (before !== null && evidence.before !== undefined && toHex(sha256(evidence.before)) !== before.sha256) {
    throw new Stopped('state', 'The bytes are not those that the challenge names.')
  }
  if (segment === 'finish' && evidence.records === undefined) {
    throw new Stopped('state', 'The node does not show what the run kept.', 'skipped')
  }
}

const recomputed = (read: Read, running: Running): string | undefined => {
  try {
    return run(read, running)
  } catch (cause) {
    // A state or records that are none, a result that no gate lets pass: the run has no such end.
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

const runDetail: Readonly<Record<CheckOutcome, string>> = {
  upheld: 'This browser has the digest of the challenger: the work is wrong.',
  dismissed: 'This browser has the digest of the worker: the challenge is wrong.',
  not_reproducible: 'This browser has neither digest.',
}

/**
 * Checks a dispute with the code that computed the work, asking nobody: signatures, inputs, the proof that the worker's
 * root holds the disputed states, then the disputed segment itself, bit for bit. What cannot be looked at ends it as
 * `unchecked`, at the step that says why.
 *
 * @param registry the operator rows of this release.
 */
export const recheck = (
  evidence: DisputedEvidence,
  { registry, progress = () => undefined }: { readonly registry: () => OperatorRegistry; readonly progress?: Progress },
): Rechecked => {
  const steps: RecheckStep[] = []
  const ok = (step: RecheckStep['step'], detail: string): void => void steps.push({ step, state: 'ok', detail })
  let [claimed, own]: [string | null, string | null] = [null, null]
  try {
    const read = readAll(evidence)
    const { challenge, work } = read
    if (challenge.kind === 'unavailable')
      throw new Stopped('proof', 'It is about missing data: nothing is run.', 'skipped')
    ;[claimed, own] = [claimedAt(challenge, work), challenge.own]
    ok('signatures', 'Offer, acceptance, work and challenge are signed by the nodes that they name.')
    const solver = solverOf(read, registry)
    ok('code', `${solver.name}@${solver.revision}, the same code and kernels here.`)
    const input = inputOf(solver, read, evidence.inputs)
    ok('inputs', 'Their digest is the one that the worker accepted.')
    try {
      assertProves(challenge, work, read.offer.inputs)
    } catch (cause) {
      if (cause instanceof Fault) throw new Stopped('proof', cause.message)
      throw cause
    }
    ok('proof', 'The root that the worker signed holds both states of the segment.')
    assertState(read, evidence)
    ok('state', challenge.before === null ? 'The segment begins with the inputs.' : 'The bytes have their digest.')
    const found = recomputed(read, { solver, input, evidence, progress })
    const outcome = found === undefined ? 'not_reproducible' : outcomeOf(found, challenge, work)
    steps.push({ step: 'run', state: 'ok', detail: runDetail[outcome] })
    return { outcome, recomputed: found ?? null, claimed, own, steps }
  } catch (cause) {
    if (!(cause instanceof Stopped)) throw cause
    steps.push({ step: cause.step, state: cause.state, detail: cause.message })
    return { outcome: 'unchecked', recomputed: null, claimed, own, steps }
  }
}
