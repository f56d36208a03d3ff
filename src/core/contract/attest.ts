import Type from 'typebox'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { LogTrust } from '#core/log-trust.ts'
import { type Entry, type EntryProof, entryHash, machineIdHash } from '#core/machine.ts'
import { entryProofSchema, entrySchema, verifyEntry } from '#core/machine-proof.ts'
import { closed, count, hex64, json, slug, text } from '#core/schema.ts'
import { type ProvenSuccession, verifySuccession } from '#core/succession.ts'

const NAME_CHARS_MAX = 255
/** Readings that follow from one entry. */
const READINGS_MAX = 100_000

/** An entry of a chain that readings follow from, with its proof: what the chain's node signed apart from any fire. */
export interface AttestedSource {
  readonly slug: string
  readonly genesis_hash: string
  readonly entry: Entry
  readonly proof: EntryProof
  /** What the entry names by its digest, opened: data of an event, or the context that a fire left. */
  readonly says: Readonly<Record<string, Json>>
  /** The readings: rows by their numbers, and oracles. */
  readonly readings: readonly { readonly no: number; readonly oracle: string }[]
}

/** Form of an attested source: unknown members are refused. */
export const attestedSourceSchema = closed({
  slug: slug(),
  genesis_hash: hex64(),
  entry: entrySchema,
  proof: entryProofSchema,
  says: Type.Record(Type.String(), json()),
  readings: Type.Array(closed({ no: count(), oracle: text(NAME_CHARS_MAX) }), { minItems: 1, maxItems: READINGS_MAX }),
})

/** A source whose proof was looked at. */
export interface JudgedSource extends Pick<AttestedSource, 'slug' | 'entry' | 'says'> {
  readonly id_hash: string
  /** Mesh tick of the entry, as the log that holds it counts. */
  readonly tick: number
  readonly outcome: 'verified' | 'failed' | 'unchecked'
  /** Why it is not verified. */
  readonly why: string
}

/** Sources by the readings that follow from them. */
export type Attestations = ReadonlyMap<string, JudgedSource>

/** How a reading is found among attestations. */
export const readingKey = (no: number, oracle: string): string => `${no} ${oracle}`

/** Mesh tick of a node's genesis, as the origin of its log names it. */
export const genesisTickOf = (checkpoint: string): number | undefined => {
  const [origin = ''] = checkpoint.split('\n', 1)
  const last = origin.slice(origin.lastIndexOf('/') + 1)
  return /^\d+$/.test(last) ? Number(last) : undefined
}

const hashOf = (entry: Entry): string => {
  try {
    return entryHash(entry)
  } catch (error) {
    if (error instanceof Fault) return ''
    throw error
  }
}

const judged = (source: AttestedSource, trust: LogTrust): JudgedSource => {
  const { slug: name, genesis_hash: genesis, entry, proof, says } = source
  const { seq, previous: prevHash, tick: tickNumber, type: transitionType, body } = entry
  const row = { seq, prevHash, tickNumber, transitionType, body, stateHash: hashOf(entry) }
  const { outcome, steps } = verifyEntry({ slug: name, genesis, row }, source, trust)
  const why = steps.find(({ state }) => state !== 'ok')?.detail ?? ''
  const tick = (genesisTickOf(proof.checkpoint) ?? Number.NaN) + entry.tick
  return { slug: name, id_hash: machineIdHash(name, genesis), entry, says, tick, outcome, why }
}

/** A verifier's trust with the successions that a file carries: each proves itself. */
const joined = (trust: LogTrust, carried: readonly ProvenSuccession[]): LogTrust => {
  try {
    return { ...trust, successions: [...(trust.successions ?? []), ...carried.map(verifySuccession)] }
  } catch (error) {
    // What is wrong with them is said of the chain that carries them.
    if (error instanceof Fault) return trust
    throw error
  }
}

/**
 * Looks at the proof of every source, offline. What its readings have to do with it is for a replay to hold.
 *
 * @param trust the key of the node that the chains are of, from elsewhere; without one nothing is attested.
 */
export const judgeSources = (
  file: {
    readonly attested?: readonly AttestedSource[]
    readonly chain: { readonly successions?: readonly ProvenSuccession[] } | null
  },
  trust: LogTrust,
): Attestations => {
  const { attested = [], chain } = file
  const whole = joined(trust, chain?.successions ?? [])
  const found = new Map<string, JudgedSource>()
  for (const source of attested) {
    const it = judged(source, whole)
    for (const { no, oracle } of source.readings) found.set(readingKey(no, oracle), it)
  }
  return found
}
