import { closeSync, readSync } from 'node:fs'
import { PAGE_BYTES } from '#core/mmio/table.ts'
import { isStill, openOwnFile } from './own-file.ts'

/** The owner's alone, whatever is said of the page. */
const MODE = 0o600

/** The file in which the owner of a node asks for something. */
export interface ControlFile extends Disposable {
  readonly path: string
  /**
   * What it holds now; undefined where it was made (again) just now: what such a file asks for nobody asked. The
   * bytes are the same buffer each time.
   *
   * @param first what a new one holds.
   * @throws FileRefused for a file that another user may have written; an error of the file system.
   */
  read(first: Uint8Array): Uint8Array | undefined
}

/** The control file at a path; it is opened by the first read, and never mapped. */
export const controlFile = (path: string): ControlFile => {
  const page = new Uint8Array(PAGE_BYTES)
  let file: number | undefined
  const close = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  return {
    path,
    read: (first) => {
      if (file !== undefined && !isStill(file, path)) close()
      if (file === undefined) {
        const opened = openOwnFile(path, { mode: MODE, first })
        file = opened.file
        if (opened.isNew) return undefined
      }
      return readSync(file, page, 0, PAGE_BYTES, 0) === PAGE_BYTES ? page : undefined
    },
    [Symbol.dispose]: close,
  }
}
