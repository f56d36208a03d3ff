import Type, { type Static } from 'typebox'
import { assert } from '#core/assert.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Steps } from '#core/code.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { closed, count, hex64, integer, oneOf } from '#core/schema.ts'
import { cutOf, SEGMENTS_MAX, stateLeaf, stepAt } from '#core/states.ts'
import { type LeafTree, leafTree } from './tree.ts'

/** Digested states of a run, at most: one more than segments. */
export const STATES_MAX = SEGMENTS_MAX + 1
/** Hashes on the path of a state's leaf. */
const PATH_MAX = 13

/** How the steps of a run are cut, by rule: nobody chooses. */
export interface SegmentPlan {
  readonly steps: number
  /** Steps of a segment; the last one may be shorter. */
  readonly every: number
  /** Segments between states. */
  readonly k: number
  /** Digested states, S_0 to S_k. */
  readonly count: number
}

/** The plan of a run of so many steps: `every` = ceil(steps / 4,096), k = ceil(steps / `every`), `count` = k + 1. */
export const segmentPlan = (steps: number): SegmentPlan => {
  const { every, segments, count: states } = cutOf(steps)
  return { steps, every, k: segments, count: states }
}

/** Whole steps taken before state `i`. */
export const stepOfState = ({ steps }: SegmentPlan, i: number): number => stepAt(steps, i)

/** Form of the name of a segment: `init`, a number, `finish`; `all` of a run that does not step. */
export const segmentSchema = Type.Union([
  oneOf(['init', 'finish', 'all']),
  integer({ minimum: 0, maximum: SEGMENTS_MAX - 1 }),
])
export type SegmentName = Static<typeof segmentSchema>

/** Form of the digest of a state with the proof that the worker's root holds it. */
export const provenStateSchema = closed({
  sha256: hex64({ description: "Of the state's bytes." }),
  step: count({ description: 'Whole steps taken before the state.' }),
  path: Type.Array(hex64(), { maxItems: PATH_MAX, description: 'Of its leaf under the root of the work, bottom up.' }),
})
export type ProvenState = Static<typeof provenStateSchema>

/** What the leaf of a state says of it. */
export interface StateLeaf {
  readonly inputs_digest: string
  readonly i: number
  readonly step: number
  /** Of the state's bytes, hex. */
  readonly sha256: string
}

/** Leaf data of a state by its digest: `tickmesh/state/1`, LF, JCS{inputs_digest, i, step, sha256}. */
export const stateLeafData = ({ inputs_digest, i, step, sha256 }: StateLeaf): Uint8Array =>
  stateLeaf({ inputsDigest: inputs_digest, i, step }, fromHex(sha256))

/** The tree over the states of a run, from their digests alone: the leaves follow from them. */
export const statesTree = (inputs_digest: string, plan: SegmentPlan, digests: readonly string[]): LeafTree => {
  assert(digests.length === plan.count, 'a digest for each state of the plan')
  return leafTree(
    digests.map((sha256, i) => leafHash(stateLeafData({ inputs_digest, i, step: stepOfState(plan, i), sha256 }))),
  )
}

/** The member `steps` of a work or claim, from the digests of its states. */
export const stepsOf = (inputs_digest: string, plan: SegmentPlan, digests: readonly string[]): Steps => ({
  root: toHex(statesTree(inputs_digest, plan, digests).root),
  every: plan.every,
  count: plan.count,
})

/** The digest of state `i` with its proof. */
export const provenStateOf = (tree: LeafTree, plan: SegmentPlan, at: { i: number; sha256: string }): ProvenState => ({
  sha256: at.sha256,
  step: stepOfState(plan, at.i),
  path: tree.path(at.i).map(toHex),
})

/** Whether the steps before a state can be those of state `i`: of all but the last they follow from `every`. */
const stepFits = ({ every, count: states }: Steps, i: number, step: number): boolean =>
  i < states - 1 ? step === i * every : step > (i - 1) * every && step <= i * every

/** Whether the worker's root holds this digest as its state `i`. */
export const holdsState = (steps: Steps, inputs_digest: string, at: ProvenState & { readonly i: number }): boolean => {
  const { i, step, sha256, path } = at
  if (!stepFits(steps, i, step)) return false
  const leaf = leafHash(stateLeafData({ inputs_digest, i, step, sha256 }))
  const place = { leafHash: leaf, index: i, size: steps.count, path: path.map(fromHex) }
  return verifyInclusion({ ...place, root: fromHex(steps.root) })
}

/** Whether a run of `steps` (null: one that does not step) has a segment of this name. */
export const hasSegment = (steps: Pick<Steps, 'count'> | null, segment: SegmentName): boolean => {
  if (steps === null) return segment === 'all'
  return segment === 'init' || segment === 'finish' || (segment !== 'all' && segment < steps.count - 1)
}

/** Numbers of the worker's states that a segment begins and ends with; null where it has none on that side. */
export const boundsOf = (
  count: number,
  segment: SegmentName,
): { readonly before: number | null; readonly after: number | null } => {
  if (segment === 'all') return { before: null, after: null }
  if (segment === 'init') return { before: null, after: 0 }
  if (segment === 'finish') return { before: count - 1, after: null }
  return { before: segment, after: segment + 1 }
}

/**
 * The first segment at whose end two runs of the same inputs differ, from the digests of their states and outcomes
 * alone (bisection without rounds); undefined when they agree.
 */
export const firstDifference = (
  mine: { readonly states: readonly string[] | null; readonly outcome: string },
  theirs: { readonly states: readonly string[] | null; readonly outcome: string },
): SegmentName | undefined => {
  const [a, b] = [mine.states ?? [], theirs.states ?? []]
  const at = a.findIndex((digest, i) => digest !== b[i])
  if (at > 0) return at - 1
  if (at === 0) return 'init'
  if (mine.outcome === theirs.outcome) return undefined
  return mine.states === null ? 'all' : 'finish'
}
