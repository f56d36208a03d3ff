import { assert } from './assert.ts'
import { toHex } from './bytes.ts'
import type { Steps } from './code.ts'
import { purposes, signedBytes } from './digest.ts'
import { Fault } from './fault.ts'
import { leafHash, rootOf } from './merkle.ts'

/** Segments of a run between two digested states, at most: what a sample or a dispute runs again. */
export const SEGMENTS_MAX = 4_096
/** Bytes of the digest of a state. */
export const STATE_DIGEST_BYTES = 32

/** Steps between two digested states, by rule: ceil(steps / 4,096). */
export const strideOf = (steps: number): number => Math.ceil(steps / SEGMENTS_MAX)

/** How a run of so many steps is cut. */
export interface Cut {
  /** Steps of a segment; the last may have fewer. */
  readonly every: number
  /** Segments: number i leads from state S_i to S_i+1. */
  readonly segments: number
  /** States: one more than segments. */
  readonly count: number
}

/** How a run is cut into segments, which follows from its steps alone. */
export const cutOf = (steps: number): Cut => {
  assert(Number.isSafeInteger(steps) && steps >= 1, 'a run has at least one step')
  const every = strideOf(steps)
  const segments = Math.ceil(steps / every)
  return { every, segments, count: segments + 1 }
}

/** Whole steps taken before state S_i. */
export const stepAt = (steps: number, i: number): number => Math.min(steps, i * strideOf(steps))

/** Where in a run a state stands. */
export interface StatePlace {
  readonly inputsDigest: string
  /** The state's number: S_0 is the one that `init` makes, S_i the one after i segments. */
  readonly i: number
  /** Whole steps taken before this state. */
  readonly step: number
}

/**
 * Leaf data of one state: `tickmesh/state/1`, LF, JCS{inputs_digest, i, step, sha256 of the state's bytes}.
 *
 * @param digest SHA-256 of the state's bytes.
 */
export const stateLeaf = ({ inputsDigest, i, step }: StatePlace, digest: Uint8Array): Uint8Array =>
  signedBytes(purposes.state, { inputs_digest: inputsDigest, i, step, sha256: toHex(digest) })

/** The digest of state S_i among those of all states of a run, one after another. */
export const stateDigestAt = (digests: Uint8Array, i: number): Uint8Array =>
  digests.subarray(i * STATE_DIGEST_BYTES, (i + 1) * STATE_DIGEST_BYTES)

/** A whole run as its tree of states is made from it. */
export interface StatedRun {
  readonly inputsDigest: string
  readonly steps: number
  /** SHA-256 of every state's bytes, one after another: at most 4,097 × 32 bytes. */
  readonly digests: Uint8Array
}

/** The hashes of the leaves of a run's tree of states. @throws Fault INVALID_INPUT where a state has no digest. */
export const stateLeafHashes = ({ inputsDigest, steps, digests }: StatedRun): readonly Uint8Array[] => {
  const { count } = cutOf(steps)
  if (digests.length !== count * STATE_DIGEST_BYTES) {
    const limit = count * STATE_DIGEST_BYTES
    throw new Fault('INVALID_INPUT', `The digests of ${count} states are ${limit} bytes.`, {
      measured: digests.length,
      limit,
    })
  }
  return Array.from({ length: count }, (_, i) =>
    leafHash(stateLeaf({ inputsDigest, i, step: stepAt(steps, i) }, stateDigestAt(digests, i))),
  )
}

/** What a claim says of a run's states. @throws Fault INVALID_INPUT where a state has no digest. */
export const stepsOf = (run: StatedRun): Steps => {
  const { every, count } = cutOf(run.steps)
  return { root: toHex(rootOf(stateLeafHashes(run))), every, count }
}
