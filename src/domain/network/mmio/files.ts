import { chmodSync, existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { putRegister, type RegisterValue } from '#core/mmio/page.ts'
import { CONTROL_FILE, PAGE_BYTES, PAGE_FILE } from '#core/mmio/table.ts'
import { lockDirectory, makeDirectory } from '#store/lock.ts'
import { askedIn, type ControlWords, controlRows } from './asked.ts'
import { type ControlFile, controlFile } from './control-file.ts'
import { FileRefused } from './own-file.ts'
import { openPageFile, type PageFile, type WritePart } from './page-file.ts'

/** Where the two files are, and who may read the page. */
export interface FileOptions {
  readonly directory: string
  /** Permissions of the page: 0600, or wider where the configuration opens it for reading. */
  readonly mode: number
  readonly writePart?: WritePart
}

const OTHERS_WRITE = 0o022
/** A directory lets those pass who may read the page in it. */
const PASS = 0o700
const passOf = (mode: number): number => PASS | ((mode & 0o044) >> 2)

/** @throws FileRefused where the directory is a link, or others may put files into it. */
const ownDirectory = (directory: string, mode: number): void => {
  if (!existsSync(directory)) {
    makeDirectory(directory)
    chmodSync(directory, passOf(mode))
  }
  const stat = lstatSync(directory)
  const user = process.geteuid?.()
  if (!stat.isDirectory()) throw new FileRefused(`${directory} is no directory`)
  if (user !== undefined && stat.uid !== user) throw new FileRefused(`${directory} belongs to another user`)
  if ((stat.mode & OTHERS_WRITE) !== 0) throw new FileRefused(`${directory} may be written by others; chmod go-w it`)
}

/** The words that a new control file begins with: those already acted on. */
export interface HeardWords {
  readonly doorbell: RegisterValue
  readonly acknowledged: RegisterValue
}

/** The two files of a node, opened when they are first needed and again after whatever happened to them. */
export interface RegisterFiles extends Disposable {
  readonly paths: { readonly page: string; readonly control: string }
  /** The page of an earlier process, if one stands there. @throws FileRefused; an error of the file system. */
  before(): Uint8Array | undefined
  /** @throws FileRefused; an error of the file system. */
  write(page: Uint8Array): void
  /** What is asked for; undefined where the file was made just now. @throws as {@link RegisterFiles.write} */
  read(heard: HeardWords): ControlWords | undefined
}

/** The files in a directory of the node's own: no second node writes there. */
export const registerFiles = ({ directory, mode, writePart }: FileOptions): RegisterFiles => {
  const paths = { page: join(directory, PAGE_FILE), control: join(directory, CONTROL_FILE) }
  const control: ControlFile = controlFile(paths.control)
  let page: PageFile | undefined
  let lock: Disposable | undefined
  const opened = (): PageFile => {
    if (page !== undefined) return page
    lock?.[Symbol.dispose]()
    ownDirectory(directory, mode)
    lock = lockDirectory(directory)
    page = openPageFile(paths.page, { mode, ...(writePart === undefined ? {} : { writePart }) })
    return page
  }
  const shut = (): void => {
    page?.[Symbol.dispose]()
    page = undefined
  }
  return {
    paths,
    before: () => opened().before,
    write: (bytes) => {
      try {
        opened().write(bytes)
      } catch {
        // The directory went away, or what was in the way is gone: once more, with everything opened anew.
        shut()
        opened().write(bytes)
      }
    },
    read: (heard) => {
      opened()
      const first = new Uint8Array(PAGE_BYTES)
      putRegister(first, controlRows.doorbell, heard.doorbell)
      putRegister(first, controlRows.acknowledged, heard.acknowledged)
      const bytes = control.read(first)
      return bytes === undefined ? undefined : askedIn(bytes)
    },
    [Symbol.dispose]: () => {
      control[Symbol.dispose]()
      shut()
      lock?.[Symbol.dispose]()
    },
  }
}
