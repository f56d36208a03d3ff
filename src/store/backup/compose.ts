import { createHash } from 'node:crypto'
import { concat, utf8 } from '#core/bytes.ts'
import {
  type ArchiveHead,
  documentBytes,
  type End,
  MAGIC,
  packBlock,
  readEnd,
  readHead,
  unpackBlock,
} from './format.ts'
import { type ArchiveFile, packedBlocks } from './read.ts'

/** What stands in an archive, told when it is whole. */
export interface Composed {
  readonly head: ArchiveHead
  readonly end: End
  /** SHA-256 of the archive, hex. */
  readonly sha256: string
}

export interface ComposeOptions {
  /** Called once the rows are through: key files belong to the data that were read. */
  readonly files: (head: ArchiveHead) => readonly ArchiveFile[]
  readonly onBytes?: (bytes: number) => void
  readonly onWhole: (composed: Composed) => void
}

/**
 * An archive with key files, out of one without: its blocks are passed on as they are, after they were held against
 * its digest, so what a node sent is known to have come whole.
 *
 * @throws BackupRefused
 */
export async function* composed(
  source: AsyncIterable<Uint8Array>,
  { files, onBytes, onWhole }: ComposeOptions,
): AsyncGenerator<Uint8Array> {
  const whole = createHash('sha256')
  let bytes = 0
  const passed = (part: Uint8Array): Uint8Array => {
    whole.update(part)
    bytes += part.length
    onBytes?.(bytes)
    return part
  }
  yield passed(MAGIC)
  let head: ArchiveHead | undefined
  let end: End | undefined
  for await (const { header, whole: block, packed } of packedBlocks(source)) {
    if (header.kind === 'head') head = readHead(await unpackBlock(header, packed))
    if (header.kind === 'end') end = readEnd(await unpackBlock(header, packed))
    if (header.kind === 'head' || header.kind === 'rows') yield passed(block)
  }
  if (head === undefined || end === undefined) return // An archive without either was refused while it was read.
  const added = files(head)
  for (const { name, bytes: content } of added)
    yield passed(await packBlock('file', concat(utf8(`${name}\n`), content)))
  const named = added.map(({ name, bytes: content }) => {
    return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  })
  const said: End = { ...end, files: named }
  yield passed(await packBlock('end', documentBytes(said)))
  const digest = whole.digest()
  yield digest
  onWhole({ head, end: said, sha256: digest.toString('hex') })
}
