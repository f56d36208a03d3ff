import { toHex, utf8 } from '#core/bytes.ts'
import { openCheckpoint, parseAnyCheckpoint } from '#core/checkpoint.ts'
import { logVerifierOf, verifyEquivocation } from '#core/equivocation.ts'
import { parseNote, parseVkey, takeSignatureLines } from '#core/note.ts'
import { sha256 } from '#crypto'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { seqOf } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import { checkpointKey, type LogPlace, type LogRows, leafKey } from './log.ts'

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
  readonly urgent: number
}

/** Checkpoints and leaves stand in other tables. */
type WitnessNeeds = WitnessRows & Pick<LogRows, 'checkpoint' | 'leaf'>

const refuse = (table: keyof WitnessRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Runs a check whose fault accuses the row. */
export const holds = (table: keyof WitnessRows, key: string, check: () => unknown): void => {
  try {
    check()
  } catch (cause) {
    if (cause instanceof CorruptRow) throw cause
    refuse(table, key, cause instanceof Error ? cause.message : String(cause))
  }
}

const checkWitnessed = (key: string, row: WitnessedRow): void => {
  if (toHex(sha256(utf8(row.origin))) !== key) refuse('witnessed', key, 'it is of another origin')
  if (row.size === 0 && row.note === '') return
  holds('witnessed', key, () => {
    const { origin, size, root } = parseAnyCheckpoint(parseNote(row.note).text)
    const fits = origin === row.origin && size === row.size && toHex(root) === row.root
    if (!fits) refuse('witnessed', key, 'the note says another head')
    if (/^tickmesh\./.test(origin)) openCheckpoint(row.note, logVerifierOf(origin))
  })
}

/** The sizes of a log whose cosignatures are kept are those that rows stand for. */
const checkCosigned = ({ database }: Fsck<WitnessNeeds>, log: LogPlace, row: CosignedRow): void => {
  for (const size of row.sizes) {
    const key = checkpointKey(log, size)
    if (database.peek('cosignature', key) === undefined) refuse('cosignature', key, 'the row is missing')
  }
}

/** What witnesses signed verifies, evidence proves itself, and every row is of what it is named for. */
const checkWitness = async (fsck: Fsck<WitnessNeeds>): Promise<void> => {
  const { database, step } = fsck
  for await (const [key, row] of database.range('witnessed')) {
    step('accounts')
    checkWitnessed(key, row)
  }
  for await (const [key, { cosignatures }] of database.range('cosignature')) {
    step('accounts')
    const [log = ''] = key.split('/')
    const checkpoint = database.peek('checkpoint', key)
    if (checkpoint === undefined) refuse('cosignature', key, 'its checkpoint is missing')
    holds('cosignature', key, () => {
      const { text } = parseNote(checkpoint?.note ?? '')
      for (const { vkey, line } of cosignatures) {
        if (takeSignatureLines(text, line, [parseVkey(vkey)]).length !== 1)
          refuse('cosignature', key, 'a line is strange')
      }
    })
    const named = database.peek('cosigned', log)?.sizes.includes(seqOf(key.slice(log.length + 1)))
    if (named !== true) refuse('cosignature', key, 'no list names it')
  }
  for await (const [log, row] of database.range('cosigned')) checkCosigned(fsck, log as LogPlace, row)
  for await (const [log, size] of database.range('urgent')) {
    const last = database.peek('leaf', leafKey(log as LogPlace, size - 1))
    if (last === undefined) refuse('urgent', log, 'the log is not as large')
  }
  for await (const [key, row] of database.range('evidence')) {
    step('accounts')
    if (toHex(sha256(utf8(row.origin))) !== key) refuse('evidence', key, 'it is of another origin')
    holds('evidence', key, () => {
      const { size, larger } = verifyEquivocation({ ...row, notes: [...row.notes], prefix: prefixOf(row.prefix) })
      if (size !== row.size || larger !== row.larger) refuse('evidence', key, 'it misstates the sizes')
    })
  }
}

const prefixOf = (prefix: { readonly root: string; readonly path: readonly string[] } | null) =>
  prefix === null ? null : { root: prefix.root, path: [...prefix.path] }

/** What witnesses sign, here and elsewhere. */
export const witness = rowKind<WitnessRows, WitnessNeeds>({
  tables: {
    witnessed: { prefix: 'wl', form: 'json', key: 'SHA-256 of the origin, hex' },
    witnessPlaces: { prefix: 'wp', form: 'json', key: 'the word `all`: how many logs of peers are witnessed' },
    cosignature: { prefix: 'wc', form: 'json', key: 'log / size' },
    cosigned: { prefix: 'wh', form: 'json', key: 'log' },
    evidence: { prefix: 'wx', form: 'json', key: 'SHA-256 of the origin, hex' },
    evidenceRing: { prefix: 'wr', form: 'json', key: 'the word `next`: the place that is given next' },
    evidenceSlot: {
      prefix: 'ws',
      form: 'json',
      key: 'place: SHA-256 of the origin of a log that is not witnessed here',
    },
    ownNote: { prefix: 'wo', form: 'json', key: 'log: a note of this key that the log does not hold' },
    urgent: { prefix: 'wu', form: 'json', key: 'log: how many of its leaves witnesses are shown at once' },
  },
  since: { schema: 2, note: 'a store of before has none' },
  check: checkWitness,
})
