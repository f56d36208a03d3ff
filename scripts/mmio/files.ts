import { readFileSync } from 'node:fs'
import { headerText } from './header.ts'
import { pageText } from './page.ts'
import { moduleText } from './python.ts'

const FOLDER = new URL('../../protocols/', import.meta.url)

/** A file that follows from the table of registers. */
export interface MadeFile {
  /** From the root of the project. */
  readonly name: string
  readonly url: URL
  readonly text: string
}

const made = (name: string, text: (url: URL) => string): MadeFile => {
  const url = new URL(name, FOLDER)
  return { name: `protocols/${name}`, url, text: text(url) }
}

/** All that is made from the table: the C header, the Python module, the tables of the page on registers. */
export const madeFiles = (): readonly MadeFile[] => [
  made('mmio/tickmesh_mmio.h', headerText),
  made('mmio/tickmesh_mmio.py', moduleText),
  made('wire/mmio.md', (url) => pageText(readFileSync(url, 'utf8'))),
]
