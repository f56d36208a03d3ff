import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Markup, rendered } from './html.ts'

/** Where a document is listed; each is a folder of `/docs`. */
export type Shelf = 'guide' | 'solvers' | 'wire' | 'operators'

/** A document that set-up rendered. */
export interface Document {
  readonly shelf: Shelf
  readonly name: string
  readonly address: string
  readonly title: string
  /** Its first sentence. */
  readonly about: string
  readonly headings: readonly { readonly id: string; readonly depth: number; readonly text: string }[]
}

/** What set-up rendered into `.build/docs`. */
export interface Library {
  readonly documents: readonly Document[]
  /** What stands below a document's title. */
  read(document: Document): Markup
  /** Files beside the documents, by their address: pictures and colours. */
  readonly files: ReadonlyMap<string, string>
}

/** Guides in the order in which they are read; others follow. */
const GUIDES = [
  'quick-start',
  'tour',
  'verify',
  'batches',
  'streams',
  'machines',
  'contracts',
  'credits',
  'wallet',
  'contribute',
  'operators',
  'proposals',
  'public',
  'operations',
  'registers',
  'upgrade',
  'readme',
]

const placeOf = ({ shelf, name }: Document): number => {
  const at = shelf === 'guide' ? GUIDES.indexOf(name) : name === 'readme' ? 0 : -1
  return at === -1 ? GUIDES.length : at
}

const contentsOf = (directory: string): readonly Document[] => {
  try {
    return JSON.parse(readFileSync(join(directory, 'contents.json'), 'utf8')) as readonly Document[]
  } catch {
    // Not set up: the interface is described all the same.
    return []
  }
}

/** Pictures, colours and the sign of the node, which lie beside the documents. */
const filesOf = (directory: string): ReadonlyMap<string, string> => {
  const under = (folder: string): readonly string[] =>
    existsSync(join(directory, folder)) ? readdirSync(join(directory, folder)).map((it) => join(folder, it)) : []
  const names = [...under('solvers/pictures'), ...under('')].filter((it) => /\.(?:svg|css)$/.test(it))
  return new Map(names.map((it) => [`/docs/${it}`, join(directory, it)] as const))
}

/** The documents that were there at start. */
export const openLibrary = (directory: string): Library => {
  const documents = contentsOf(directory).toSorted((a, b) => placeOf(a) - placeOf(b))
  return {
    documents,
    read: ({ shelf, name }) => rendered(readFileSync(join(directory, shelf, `${name}.html`), 'utf8')),
    files: filesOf(directory),
  }
}
