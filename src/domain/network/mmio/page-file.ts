import { closeSync, readSync, writeSync } from 'node:fs'
import { isPage, putRegister, registerOf, sumPage } from '#core/mmio/page.ts'
import { PAGE_BYTES, pageRegisters, registerIn } from '#core/mmio/table.ts'
import { FileRefused, isStill, openOwnFile } from './own-file.ts'

const seqlock = registerIn(pageRegisters, 'seqlock')
/** What follows the seqlock word: the sum, the version and all that the page says. */
const BODY_FROM = seqlock.width

/** Writes bytes `from` to `to` of a page to the same place of a file; another one only to stop in between. */
export type WritePart = (file: number, page: Uint8Array, from: number, to: number) => void

/** The write itself. @throws an error of the file system; one where there is no room */
export const writePart: WritePart = (file, page, from, to) => {
  const written = writeSync(file, page, from, to - from, from)
  if (written < to - from) throw new Error('the page was not written whole: no room')
}

/** The page as other programs see it. */
export interface PageFile extends Disposable {
  readonly path: string
  /** The page that stood there when it was opened, as far as it is one that a node wrote; undefined for a new one. */
  readonly before: Uint8Array | undefined
  /**
   * Writes a page in three steps: the seqlock odd, all that follows it with its sum, the seqlock even. A file that is
   * gone or was cut is made again; the others keep their inode. Seqlock and sum of the argument are put here.
   *
   * @throws FileRefused for a file that is not ours; an error of the file system. The next write tries again.
   */
  write(page: Uint8Array): void
}

interface Options {
  readonly mode: number
  readonly writePart?: WritePart
}

/** @throws FileRefused for a file that holds something else than a page. */
const readBefore = (file: number, path: string): Uint8Array => {
  const found = new Uint8Array(PAGE_BYTES)
  readSync(file, found, 0, PAGE_BYTES, 0)
  if (!isPage(found)) throw new FileRefused(`${path} holds something else than a page; remove it and it is made again`)
  return found
}

/**
 * Opens the page file of a node, or makes it. It is neither mapped nor renamed nor cut: whoever has it mapped goes on
 * reading it over any restart.
 *
 * @throws FileRefused for a file that is not ours; an error of the file system.
 */
export const openPageFile = (path: string, { mode, writePart: part = writePart }: Options): PageFile => {
  let file: number | undefined
  /** The last word that was written; even between two writes. */
  let word = 0n

  const open = (): Uint8Array | undefined => {
    const opened = openOwnFile(path, { mode, first: new Uint8Array(PAGE_BYTES) })
    file = opened.file
    if (opened.isNew) return undefined
    try {
      const before = readBefore(opened.file, path)
      const found = registerOf(before, seqlock) as bigint
      if (found > word) word = found
      return before
    } catch (error) {
      close()
      throw error
    }
  }
  const close = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  const put = (page: Uint8Array, value: bigint): void => {
    word = value
    putRegister(page, seqlock, value)
    part(file as number, page, 0, BODY_FROM)
  }

  const before = open()
  return {
    path,
    before,
    write: (page) => {
      if (file !== undefined && !isStill(file, path)) close()
      if (file === undefined) open()
      sumPage(page)
      // A writer that died while it wrote left the word odd: the next one goes on from there.
      put(page, (word + 1n) | 1n)
      part(file as number, page, BODY_FROM, PAGE_BYTES)
      put(page, word + 1n)
    },
    [Symbol.dispose]: close,
  }
}
