import { toHex, utf8 } from '#core/bytes.ts'
import { openCheckpoint, parseAnyCheckpoint } from '#core/checkpoint.ts'
import { logVerifierOf, verifyEquivocation } from '#core/equivocation.ts'
import { parseNote, parseVkey, takeSignatureLines } from '#core/note.ts'
import { sha256 } from '#crypto'
import { type LogPlace, seqOf, type TableName } from '#store/layout.ts'
import { checkpointKey } from '#store/merkle-log.ts'
import { CorruptRow } from '#store/rows.ts'
import type { CosignedRow, WitnessedRow } from '#store/witness-rows.ts'
import type { Fsck } from './report.ts'

const refuse = (table: TableName, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Runs a check whose fault accuses the row. */
export const holds = (table: TableName, key: string, check: () => unknown): void => {
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
const checkCosigned = ({ database }: Fsck, log: LogPlace, row: CosignedRow): void => {
  for (const size of row.sizes) {
    const key = checkpointKey(log, size)
    if (database.peek('cosignature', key) === undefined) refuse('cosignature', key, 'the row is missing')
  }
}

/** What witnesses signed verifies, evidence proves itself, and every row is of what it is named for. */
export const checkWitness = async (fsck: Fsck): Promise<void> => {
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
