import { concat, fromHex, toHex, utf8 } from '#core/bytes.ts'
import { type SegmentName, type SegmentPlan, segmentPlan, stepsOf } from '#core/work/segments.ts'
import { type ContributedWork, outcomeDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import type { Chance } from './chance.ts'

/**
 * The computation that simulated jobs are: a chain of hashes over their inputs, cut into real segments under a real
 * tree. It is tiny, but a wrong segment is found as it is in a solver: by running it again and comparing.
 */
export interface TinyJob {
  /** inputs_digest, hex. */
  readonly inputs: string
  /** Segments; 0 for a run that does not step. */
  readonly k: number
}

/** What a run gave, right or wrong. */
export interface TinyRun {
  /** Bytes of S_0 to S_k; empty for a run that does not step. */
  readonly states: readonly Uint8Array[]
  readonly outcome: Pick<ContributedWork, 'result_digest' | 'check'>
  /** Segments that were computed wrongly, or not at all. */
  readonly wrong: readonly SegmentName[]
}

/** What a worker does to a segment. */
export type Bent = (segment: SegmentName) => 'right' | 'wrong' | 'skip'

const CHECK: ContributedWork['check'] = { against: 'chain', measured: 0.01, bound: 0.1 }

/** Digest of a state's bytes. */
export const stateDigest = (bytes: Uint8Array): string => toHex(sha256(bytes))

const initOf = ({ inputs }: TinyJob): Uint8Array => sha256(concat(utf8('init'), fromHex(inputs)))
const stepOf = (job: TinyJob, state: Uint8Array): Uint8Array => sha256(concat(state, fromHex(job.inputs)))
const finishOf = (state: Uint8Array): TinyRun['outcome'] => ({
  result_digest: toHex(sha256(concat(utf8('finish'), state))),
  check: CHECK,
})

/** The plan of a job that steps: a step is a segment here. */
export const planOf = ({ k }: TinyJob): SegmentPlan => segmentPlan(k)

/** Runs a job, as a worker does who bends some segments and goes on honestly from what comes. */
export const runTiny = (job: TinyJob, chance: Chance, bent: Bent = () => 'right'): TinyRun => {
  const wrong: SegmentName[] = []
  const made = (segment: SegmentName, right: () => Uint8Array): Uint8Array => {
    const how = bent(segment)
    if (how === 'right') return right()
    wrong.push(segment)
    return how === 'skip' ? chance.bytes(32) : sha256(right())
  }
  if (job.k === 0) {
    const last = made('all', () => stepOf(job, initOf(job)))
    return { states: [], outcome: finishOf(last), wrong }
  }
  const states = [made('init', () => initOf(job))]
  for (let i = 0; i < job.k; i++) {
    const before = states[i] as Uint8Array
    states.push(made(i, () => stepOf(job, before)))
  }
  const last = made('finish', () => states[job.k] as Uint8Array)
  return { states, outcome: finishOf(last), wrong }
}

/** The member `steps` of the work of a run. */
export const tinySteps = (job: TinyJob, { states }: TinyRun): ContributedWork['steps'] =>
  job.k === 0 ? null : stepsOf(job.inputs, planOf(job), states.map(stateDigest))

/** What running one segment again gives: the digest at its end. */
export const rerun = (job: TinyJob, segment: SegmentName, before: Uint8Array | undefined): string => {
  if (segment === 'init') return stateDigest(initOf(job))
  if (segment === 'all') return outcomeDigest(finishOf(stepOf(job, initOf(job))))
  const from = before ?? new Uint8Array(32)
  return segment === 'finish' ? outcomeDigest(finishOf(from)) : stateDigest(stepOf(job, from))
}

/** Segments that running one again costs, a run that does not step being one whole. */
export const costOf = (job: TinyJob, segment: SegmentName): number => (segment === 'all' ? 1 : 1 / Math.max(1, job.k))
