/** States of a run at known times, one after the other. */
export interface Kept {
  readonly times: ArrayLike<number>
  /** times.length × size. */
  readonly states: Float64Array
  readonly size: number
}

/**
 * The checker's own way from one state to a later time: another right-hand side, another integrator. Writes the end and
 * gives what it cost in a unit of the caller's; undefined when it failed.
 */
export type Flow = (start: Float64Array, from: number, to: number, end: Float64Array) => number | undefined

/** What re-integration of segments found. */
export interface SegmentsFound {
  /** 100·Σ d over all segments; of a sample 100·mean·segments. NaN when a segment failed or none could be checked. */
  readonly errorPct: number
  readonly judged: number
  readonly segments: number
}

/** An order in which any first part is spread evenly: multiples of a step near the golden section, prime to n. */
const spread = (n: number): ((k: number) => number) => {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let step = Math.max(1, Math.floor(0.6180339887498949 * n))
  while (divisor(step, n) !== 1) step++
  return (k) => (k * step) % n
}

/**
 * Re-integration of segments: from each kept state to the time of the next, and the distance to that, summed. It sees
 * wrong coefficients and steps too large; it is blind to how errors grow from one segment into the next.
 *
 * @param distance of two states as a share of the signal's scale.
 * @param costMax what all flows together may cost; a sample spread over the run when that does not suffice.
 */
export const segmentsPct = (
  { times, states, size }: Kept,
  flow: Flow,
  { distance, costMax }: { readonly distance: (a: Float64Array, b: Float64Array) => number; readonly costMax: number },
): SegmentsFound => {
  const segments = times.length - 1
  const at = (k: number): Float64Array => states.subarray(k * size, (k + 1) * size)
  const place = spread(Math.max(1, segments))
  const end = new Float64Array(size)
  let sum = 0
  let cost = 0
  let judged = 0
  for (; judged < segments && cost < costMax; judged++) {
    const k = place(judged)
    const spent = flow(at(k), times[k] as number, times[k + 1] as number, end)
    if (spent === undefined) return { errorPct: Number.NaN, judged, segments }
    cost += spent
    sum += distance(end, at(k + 1))
  }
  return { errorPct: judged === 0 ? Number.NaN : (100 * sum * segments) / judged, judged, segments }
}
