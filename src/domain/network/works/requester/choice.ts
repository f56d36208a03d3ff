/** A node that may do a job, as far as this one knows it. */
export interface WorkerCandidate {
  readonly node: string
  /** Jobs of this node that it has in hand. */
  readonly busy: number
  /** Milliseconds there and back; undefined before the first measurement. */
  readonly rttMs: number | undefined
  /** Works of it that this node found right, and that it found wrong. */
  readonly right: number
  readonly wrong: number
  /** Jobs that it took and did not bring to an end, of late. */
  readonly lost: number
}

/** What a node counts that was never measured, in milliseconds. */
const RTT_UNKNOWN_MS = 1_000

/** One more right work counts less and less; one lost counts as much as ten milliseconds more. */
const LOST_MS = 10

const waitOf = ({ rttMs = RTT_UNKNOWN_MS, right, lost }: WorkerCandidate): number =>
  rttMs / (1 + Math.min(right, 9) / 10) + LOST_MS * lost

/**
 * Whom to offer a job, best first: who has least of ours in hand, then who is near and brought works to a good end.
 * What a node says of itself does not count, and neither does how often it asks. One wrong work is enough to be left
 * out.
 */
export const chosen = (candidates: readonly WorkerCandidate[]): readonly WorkerCandidate[] =>
  candidates
    .filter(({ wrong }) => wrong === 0)
    .sort((a, b) => a.busy - b.busy || waitOf(a) - waitOf(b) || (a.node < b.node ? -1 : 1))
