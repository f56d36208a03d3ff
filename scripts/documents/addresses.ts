import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'

/** What a document is listed under; each is a folder of `/docs`. */
export type Shelf = 'guide' | 'solvers' | 'wire' | 'operators'

/** A Markdown file of the repository that is rendered, and where it is read. */
export interface Placed {
  readonly file: string
  readonly shelf: Shelf
  readonly name: string
}

/** Documents at the top of the repository, and the lists of a folder. */
const SINGLE: Readonly<Record<string, readonly [Shelf, string]>> = {
  'README.md': ['guide', 'readme'],
  'CHANGELOG.md': ['guide', 'changelog'],
  'SECURITY.md': ['guide', 'security'],
  'CONTRIBUTING.md': ['guide', 'contributing'],
  'protocols/README.md': ['wire', 'readme'],
  'protocols/openapi/introduction.md': ['wire', 'interface'],
}
const FOLDERS: readonly Shelf[] = ['guide', 'solvers', 'wire', 'operators']

/** Every document that is rendered, in the order of its file's name. @param root the repository */
export const documentsOf = (root: string): readonly Placed[] => [
  ...Object.entries(SINGLE).map(([file, [shelf, name]]) => ({ file, shelf, name })),
  ...FOLDERS.flatMap((shelf) =>
    readdirSync(posix.join(root, 'protocols', shelf))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => ({
        file: `protocols/${shelf}/${name}`,
        shelf,
        name: name.slice(0, -'.md'.length).toLowerCase(),
      })),
  ),
]

/** Where a document is read. */
export const addressOf = ({ shelf, name }: Pick<Placed, 'shelf' | 'name'>): string => `/docs/${shelf}/${name}`

/** What a link of a document leads to. */
export type Target =
  | { readonly kind: 'address'; readonly address: string; readonly file?: string; readonly anchor?: string }
  /** A file of the repository that is no document: it is named, and leads nowhere. */
  | { readonly kind: 'file' }
  | { readonly kind: 'broken'; readonly why: string }

/** Finds what links of documents mean. */
export interface Addresses {
  /** @param from the document that has the link */
  resolve(from: string, href: string): Target
  /** The address of a document that a name in code means, seen from a document or from the top. */
  named(from: string, name: string): string | undefined
}

const isOutside = (href: string): boolean => /^(?:https?:\/\/|mailto:)/.test(href)

/** @param root the repository */
export const createAddresses = (root: string, documents: readonly Placed[]): Addresses => {
  const byFile = new Map(documents.map((it) => [it.file, addressOf(it)]))
  const joined = (from: string, path: string): string => posix.join(posix.dirname(from), path)
  return {
    resolve: (from, href) => {
      if (isOutside(href)) return { kind: 'address', address: href }
      // The page's own addresses: what the node serves beside documents.
      if (/^\/(?:(?:docs|api)(?:[/#?]|$)|[#?]|$)/.test(href)) return { kind: 'address', address: href }
      if (/^[a-z][a-z+.-]*:|^\/\//i.test(href)) return { kind: 'broken', why: `${href} is no link of a document` }
      const [path = '', anchor] = href.split('#', 2)
      const file = path === '' ? from : joined(from, path)
      const address = byFile.get(file)
      if (address !== undefined) {
        return { kind: 'address', address: path === '' ? '' : address, file, ...(anchor ? { anchor } : {}) }
      }
      const isThere = !file.startsWith('..') && existsSync(posix.join(root, file))
      return isThere ? { kind: 'file' } : { kind: 'broken', why: `${href} is not there` }
    },
    named: (from, name) => {
      const found = [joined(from, name), name].find((it) => byFile.has(it))
      return found === undefined || found === from ? undefined : byFile.get(found)
    },
  }
}
