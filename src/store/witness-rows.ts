/**
 * The head of another's log that this node's witness cosigned last. It is advanced in one commit with the check, before
 * the answer goes out, and never removed: forgetting it would let a log show this witness another history.
 */
export interface WitnessedRow {
  readonly origin: string
  /** 0 for a log that the policy names and that never asked. */
  readonly size: number
  /** Hex. */
  readonly root: string
  /** The checkpoint with the signatures that were verified and this witness's own; empty at size 0. */
  readonly note: string
}

/** One cosignature of a checkpoint of this node. */
export interface Cosignature {
  /** Verifier key of the witness, as it was known when the line was verified. */
  readonly vkey: string
  /** The signature line, with its line feed. */
  readonly line: string
  /** POSIX seconds, as the witness signed them. */
  readonly seconds: number
}

/** The cosignatures of one checkpoint; the checkpoint's own row stays what it was. */
export interface CosignatureRow {
  readonly cosignatures: readonly Cosignature[]
}

/** How far a log of this node is cosigned. */
export interface CosignedRow {
  /** Sizes whose cosignatures are kept, ascending. */
  readonly sizes: readonly number[]
  /** The newest size that met the quorum of the policy named, and that policy's name. */
  readonly best: { readonly size: number; readonly policy: string } | null
  /** The largest size that each witness cosigned, by verifier key. */
  readonly witnesses: Readonly<Record<string, number>>
}

/** Proof that a log signed two histories (`evidence` events); of several the smallest size stands. */
export interface EvidenceRow {
  readonly origin: string
  readonly node: string
  /** Nothing of the log counts beyond this size. */
  readonly size: number
  readonly larger: number
  readonly notes: readonly string[]
  readonly prefix: { readonly root: string; readonly path: readonly string[] } | null
}

export interface WitnessRows {
  readonly witnessed: WitnessedRow
  readonly witnessPlaces: { readonly taken: number }
  readonly cosignature: CosignatureRow
  readonly cosigned: CosignedRow
  readonly evidence: EvidenceRow
  readonly evidenceRing: { readonly next: number }
  readonly evidenceSlot: string
  readonly ownNote: { readonly note: string; readonly from: string }
}

/** Prefixes and keys of what witnesses sign, here and elsewhere. */
export const witnessTables = {
  witnessed: { prefix: 'wl', form: 'json', key: 'SHA-256 of the origin, hex' },
  witnessPlaces: { prefix: 'wp', form: 'json', key: 'the word `all`: how many logs of peers are witnessed' },
  cosignature: { prefix: 'wc', form: 'json', key: 'log / size' },
  cosigned: { prefix: 'wh', form: 'json', key: 'log' },
  evidence: { prefix: 'wx', form: 'json', key: 'SHA-256 of the origin, hex' },
  evidenceRing: { prefix: 'wr', form: 'json', key: 'the word `next`: the place that is given next' },
  evidenceSlot: { prefix: 'ws', form: 'json', key: 'place: SHA-256 of the origin of a log that is not witnessed here' },
  ownNote: { prefix: 'wo', form: 'json', key: 'log: a note of this key that the log does not hold' },
} as const
