import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { folderPart, keyOf, seqKey, under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { MachineRows } from './machine.ts'

/** The hosted pages of a machine, in sum, and the key that puts them there. */
export interface SiteRow {
  readonly pages: number
  /** Of the files that pages name, each once. */
  readonly bytes: number
  readonly key: SitePublishKey | null
}

/** A publish key that is out. */
export interface SitePublishKey {
  /** First 16 digits of the key's SHA-256. */
  readonly id: string
  /** SHA-256 of the key, hex. */
  readonly hash: string
  /** Who made it: the key falls with that ZID's role. */
  readonly minter_zid: string
  readonly created_tick: number
}

/** What is at a path. */
export interface SitePageRow {
  readonly path: string
  /** SHA-256 of the file, hex. */
  readonly sha: string
  /** Its entry in the machine's chain. */
  readonly seq: number
  readonly tick: number
}

/** What a file is, and how many paths name it: it goes with the last. */
export interface SiteFileRow {
  readonly media_type: string
  readonly bytes: number
  readonly paths: number
}

export interface SiteRows {
  readonly site: SiteRow
  readonly sitePage: SitePageRow
  readonly siteFile: SiteFileRow
  readonly siteBytes: Uint8Array
  readonly siteKey: string
}

/** Type of the entry that says what is at a path. */
export const SITE_ENTRY = 'site_page'

/** Key of a page. */
export const sitePageKey = (slug: string, path: string): string => keyOf(slug, folderPart(path))

type Needs = SiteRows & Pick<MachineRows, 'machine' | 'machineEntry'>

const refuse = (table: keyof Needs, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Pages of a machine against their entries. @returns how many paths name each file. */
const checkPages = async ({ database, step }: Fsck<Needs>, slug: string): Promise<ReadonlyMap<string, number>> => {
  const named = new Map<string, number>()
  for await (const [key, { path, sha, seq, tick }] of database.range('sitePage', under(slug))) {
    step('machines')
    if (key !== sitePageKey(slug, path)) refuse('sitePage', key, 'it is not at its path')
    const entry = database.peek('machineEntry', keyOf(slug, seqKey(seq)))?.entry
    const said = entry?.body as { readonly path?: unknown; readonly sha?: unknown } | undefined
    if (entry?.type !== SITE_ENTRY || entry.tick !== tick || said?.path !== path || said.sha !== sha) {
      refuse('sitePage', key, 'no entry of the machine says it')
    }
    named.set(sha, (named.get(sha) ?? 0) + 1)
  }
  return named
}

/** The files of a machine are those that its pages name. The sum over a row says that bytes are what was written. */
const checkFiles = async (fsck: Fsck<Needs>, slug: string, { pages, bytes }: SiteRow): Promise<void> => {
  const { database, step } = fsck
  const named = await checkPages(fsck, slug)
  let [sum, paths] = [0, 0]
  for await (const [key, file] of database.range('siteFile', under(slug))) {
    step('machines')
    const sha = key.slice(slug.length + 1)
    if (named.get(sha) !== file.paths) refuse('siteFile', key, 'other paths name it than it counts')
    if (database.peek('siteBytes', key)?.length !== file.bytes) refuse('siteBytes', key, 'the bytes are missing')
    sum += file.bytes
    paths += file.paths
  }
  for (const sha of named.keys()) {
    const key = keyOf(slug, sha)
    if (database.peek('siteFile', key) === undefined) refuse('siteFile', key, 'a page names it, and it is missing')
  }
  if (pages !== paths) refuse('site', slug, 'it counts other pages')
  if (bytes !== sum) refuse('site', slug, 'it counts other bytes')
}

/** Rows of a table whose machine has no site, or which stand for nothing, are nobody's. */
const checkStrays = async ({ database }: Fsck<Needs>): Promise<void> => {
  for (const table of ['sitePage', 'siteFile', 'siteBytes'] as const) {
    for await (const [key] of database.range(table)) {
      const [slug = ''] = key.split('/')
      if (database.peek('site', slug) === undefined) refuse(table, key, 'its machine has no pages')
      if (table === 'siteBytes' && database.peek('siteFile', key) === undefined) refuse(table, key, 'it is no file')
    }
  }
  for await (const [hash, slug] of database.range('siteKey')) {
    if (database.peek('site', slug)?.key?.hash !== hash) refuse('siteKey', hash, 'the machine has another key')
  }
}

const checkSites = async (fsck: Fsck<Needs>): Promise<void> => {
  const { database, step } = fsck
  for await (const [slug, row] of database.range('site')) {
    step('machines')
    if (database.peek('machine', slug) === undefined) refuse('site', slug, 'there is no such machine')
    await checkFiles(fsck, slug, row)
    if (row.key !== null && database.peek('siteKey', row.key.hash) !== slug) {
      refuse('siteKey', row.key.hash, 'the row is missing')
    }
  }
  await checkStrays(fsck)
}

/** Hosted pages of machines. */
export const site = rowKind<SiteRows, Needs>({
  tables: {
    site: { prefix: 'pa', form: 'json', key: 'slug' },
    sitePage: { prefix: 'pb', form: 'json', key: 'slug / path, escaped' },
    siteFile: { prefix: 'pc', form: 'json', key: 'slug / SHA-256 of the file, hex' },
    siteBytes: { prefix: 'pd', form: 'bytes', key: 'slug / SHA-256 of the file, hex' },
    siteKey: { prefix: 'pe', form: 'json', key: 'SHA-256 of a publish key, hex: slug' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkSites,
})
