import { concat, fromHex, toHex, utf8 } from '#core/bytes.ts'
import { digest, purposes } from '#core/digest.ts'
import { sha256 } from '#crypto'

/** What the worker committed to its value with: the offer that it accepted. The challenger: the work. */
export interface CommittedValue {
  readonly of: 'w' | 'c'
  /** Digest of the offer for w, of the work for c: a value cannot be played back elsewhere. */
  readonly about: string
  /** 32 random bytes, hex. */
  readonly value: string
}

/** The commitment to a value of a draw, under `tickmesh/reveal/1`. */
export const commitmentTo = ({ of, about, value }: CommittedValue): string =>
  digest(purposes.reveal, { of, about, value })

/** Whose order a draw gives, and what it follows from. */
export interface DrawOf {
  /** Digest of the work. */
  readonly work: string
  /** Id of the event of the challenge. */
  readonly challenge: string
  readonly c: string
  /** Null where the worker did not reveal. */
  readonly w: string | null
}

/**
 * The order in which nodes are called to rule: ascending SHA-256(digest(`tickmesh/draw/1`, {work, challenge, c, w}) ‖
 * node id). Both values were fixed before the other was known, and tree heads are not used, so nobody can grind it.
 */
export const ranksOf = ({ work, challenge, c, w }: DrawOf, nodes: readonly string[]): readonly string[] => {
  const drawn = fromHex(digest(purposes.draw, { work, challenge, c, w }))
  return nodes
    .map((node) => ({ node, key: toHex(sha256(concat(drawn, utf8(node)))) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ node }) => node)
}
