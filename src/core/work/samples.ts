import { assert } from '#core/assert.ts'
import { fromHex } from '#core/bytes.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { hmacSha256 } from '#crypto'
import type { SegmentName } from './segments.ts'

/** Segments that a requester asks for and runs itself, beside `init` and `finish`. */
export const SAMPLES_DEFAULT = 4
export const SAMPLES_STRICT = 8
/** Ticks that a worker has for its samples at least. */
const ANSWER_TICKS_MIN = 240
/** The larger part of the estimate that it may take. */
const ANSWER_SHARE = 8

/** Ticks after which samples that did not come count as refused: max(240, estimate / 8). */
export const sampleTicks = (estimate: number): number => Math.max(ANSWER_TICKS_MIN, Math.ceil(estimate / ANSWER_SHARE))

const modulo = (bytes: Uint8Array, k: number): number =>
  // A remainder below 4,096 times 256 stays exact.
  bytes.reduce((rest, byte) => (rest * 256 + byte) % k, 0)

/**
 * Segments that are sampled: HMAC-SHA256(q, (`tickmesh/sample/1`, {j, work})) mod k for j = 0 … m − 1, in that order;
 * one may be drawn twice.
 *
 * @param q hex, 32 bytes; it leaves the requester with the `close` alone.
 */
export const sampleIndices = (
  q: string,
  work: string,
  { m, k }: { readonly m: number; readonly k: number },
): number[] => {
  assert(k >= 1, 'a run that steps has a segment')
  const key = fromHex(q)
  return Array.from({ length: m }, (_, j) => modulo(hmacSha256(key, signedBytes(purposes.sample, { j, work })), k))
}

/** All segments that a requester runs before it accepts: the sampled ones, each once, between `init` and `finish`. */
export const sampledSegments = (
  q: string,
  work: string,
  drawn: { readonly m: number; readonly k: number },
): readonly SegmentName[] => ['init', ...[...new Set(sampleIndices(q, work, drawn))].sort((a, b) => a - b), 'finish']
