import { toHex, utf8 } from '#core/bytes.ts'
import { patterns } from '#core/ids.ts'
import { encodeVkey, type Verifier } from '#core/note.ts'
import type { Policy } from '#core/policy.ts'
import { sha256 } from '#crypto'

/** Witnesses that a log asks. */
export const WITNESSES_MAX = 8

/** A witness that a log may ask. */
export interface WitnessCandidate {
  /** Its name; a node of the mesh has one of our form. */
  readonly name: string
  /** The node behind it, if it is one of ours. */
  readonly node: string | undefined
  /** Submission prefix, if the owner's policy gives one. */
  readonly url: string | undefined
  /** Its key, if the policy pins it; that of a peer is asked for. */
  readonly verifier: Verifier | undefined
}

const isWitness = new RegExp(patterns.witnessName)

/** The node of a witness's name, or undefined for a witness that is no node of ours. */
export const nodeOfWitness = (name: string): string | undefined =>
  isWitness.test(name) ? name.split('/').at(1) : undefined

const rank = (origin: string, who: string): string => toHex(sha256(utf8(origin + who)))

const lowest = (origin: string, all: readonly WitnessCandidate[]): readonly WitnessCandidate[] =>
  all
    .map((it) => ({ it, at: rank(origin, it.node ?? (it.verifier === undefined ? it.name : encodeVkey(it.verifier))) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, WITNESSES_MAX)
    .map(({ it }) => it)

/**
 * Whom a log asks: the policy's witnesses, or, without any, those of the connected nodes with the lowest SHA-256(origin
 * ‖ node id), so that nobody who wants to witness a log can choose to. At most eight.
 *
 * @param self is never a witness of its own log.
 */
export const chooseWitnesses = (
  origin: string,
  {
    policy,
    peers,
    self,
  }: { readonly policy: Policy | undefined; readonly peers: readonly string[]; readonly self: string },
): readonly WitnessCandidate[] => {
  const named = [...(policy?.witnesses ?? [])].map(([name, verifier]): WitnessCandidate => {
    return { name: verifier.name, node: nodeOfWitness(verifier.name), url: policy?.urls.get(name), verifier }
  })
  const near = peers.map((node): WitnessCandidate => {
    return { name: `tickmesh.witness/${node}`, node, url: undefined, verifier: undefined }
  })
  return lowest(
    origin,
    (named.length > 0 ? named : near).filter(({ node }) => node !== self),
  )
}
