import { fromBase64, toHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { refuseInput } from '#core/input.ts'
import { sha256 } from '#crypto'
import { machineOfPublishKey } from '#domain/credentials/publish-keys.ts'
import type { Reader, Standing } from '#domain/credentials/standing.ts'
import type { MachineContext, MachineRequest } from '#domain/machines/context.ts'
import { assertActive, recordedOf, say } from '#domain/machines/record.ts'
import { admitted } from '#domain/machines/roles.ts'
import type { SiteListing, SiteMediaType, SitePageView, SiteUploaded } from '#domain/machines/views/site.ts'
import { keyOf, under } from '#store/layout.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import { SITE_ENTRY, type SitePageRow, sitePageKey } from '#store/rows/site.ts'
import type { Transaction } from '#store/transaction.ts'
import { siteOf } from './keys.ts'
import { sentMediaType, siteMediaFault } from './media.ts'

/** Pages of one machine. */
export const SITE_PAGES_MAX = 1_000
/** Bytes of one page. */
export const SITE_PAGE_BYTES_MAX = 2_097_152

/** A page to be put up. */
export interface SiteUpload {
  readonly path: string
  readonly content_type: SiteMediaType
  readonly content: string
  readonly encoding: 'text' | 'base64'
}

/** A file as it is served. */
export interface SiteFile {
  readonly sha: string
  /** As it is sent: of text with its charset. */
  readonly media_type: string
  readonly bytes: Uint8Array
}

const refuse = (path: string, message: string): never => refuseInput([{ path, message }])

const decoded = (content: string): Uint8Array => {
  try {
    return fromBase64(content)
  } catch {
    return refuse('/content', 'must be base64 with its padding, and nothing else')
  }
}

/** The bytes of a page. @throws Fault INVALID_INPUT */
const bytesOf = ({ content, encoding, content_type }: SiteUpload): Uint8Array => {
  if (!content.isWellFormed()) refuse('/content', 'is no text: half a surrogate pair stands in it')
  const bytes = encoding === 'base64' ? decoded(content) : utf8(content)
  if (bytes.length > SITE_PAGE_BYTES_MAX) {
    refuse('/content', `has ${bytes.length} bytes, and ${SITE_PAGE_BYTES_MAX} are the most of a page`)
  }
  const wrong = siteMediaFault(content_type, bytes)
  return wrong === undefined ? bytes : refuse('/content_type', wrong)
}

/** The machine that a caller may put pages into. @throws Fault NOT_FOUND, SCOPE_REQUIRED, UNAUTHENTICATED */
const publishing = (
  reader: Reader,
  { caller, slug }: MachineRequest,
): { readonly machine: MachineRow; readonly standing: Standing } => {
  const publisher = caller.kind === 'anonymous' ? caller.publisher : undefined
  if (publisher === undefined) return admitted(reader, { slug, caller, needed: 'operator' })
  // Whether there is such a machine is none of its business.
  if (publisher.slug !== slug) throw new Fault('SCOPE_REQUIRED', 'This is the publish key of another machine.')
  return { machine: machineOfPublishKey(reader, publisher.keyHash), standing: 'operator' }
}

/** A file less by one path. @returns bytes that went with it. */
const release = (tx: Transaction, key: string): number => {
  const file = tx.get('siteFile', key)
  if (file === undefined) throw new Error('a page names a file')
  if (file.paths > 1) {
    tx.put('siteFile', key, { ...file, paths: file.paths - 1 })
    return 0
  }
  tx.del('siteFile', key)
  tx.del('siteBytes', key)
  return file.bytes
}

/** A file more by one path. @returns bytes that came with it. @throws Fault INVALID_INPUT */
const take = (
  tx: Transaction,
  key: string,
  file: { readonly media_type: string; readonly bytes: Uint8Array },
): number => {
  const { media_type, bytes } = file
  const there = tx.get('siteFile', key)
  if (there !== undefined && there.media_type !== media_type) {
    refuse('/content_type', `another page has the very same bytes as ${there.media_type}`)
  }
  tx.put('siteFile', key, { media_type, bytes: bytes.length, paths: (there?.paths ?? 0) + 1 })
  if (there === undefined) tx.put('siteBytes', key, bytes)
  return there === undefined ? bytes.length : 0
}

/** Puts a file at a path, in place of what is there. @throws Fault RATE_LIMITED, INVALID_INPUT */
const place = (
  tx: Transaction,
  slug: string,
  page: { readonly path: string; readonly sha: string; readonly media_type: string; readonly bytes: Uint8Array },
): void => {
  const site = siteOf(tx, slug)
  const before = tx.get('sitePage', sitePageKey(slug, page.path))
  if (before === undefined && site.pages >= SITE_PAGES_MAX) {
    throw new Fault('RATE_LIMITED', `A machine has at most ${SITE_PAGES_MAX} pages.`, { limit: SITE_PAGES_MAX })
  }
  const gone = before === undefined ? 0 : release(tx, keyOf(slug, before.sha))
  const come = take(tx, keyOf(slug, page.sha), page)
  const pages = site.pages + (before === undefined ? 1 : 0)
  tx.put('site', slug, { ...site, pages, bytes: site.bytes - gone + come })
}

/** Hosted pages: put up one at a time, listed, and given by the digests of their bytes. */
export const createSitePages = (context: MachineContext) => {
  const { store } = context
  const reader = { get: store.peek }

  const pageView = (source: Reader, slug: string, { path, sha, seq, tick }: SitePageRow): SitePageView | undefined => {
    const file = source.get('siteFile', keyOf(slug, sha))
    if (file === undefined) return undefined
    return { path, sha, content_type: file.media_type as SiteMediaType, bytes: file.bytes, seq, tick }
  }

  return {
    /**
     * Puts a page up, in place of the one at its path, and says so in the chain. The same file at the same path is
     * there already: then nothing is written.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, UNAUTHENTICATED, INVALID_INPUT, RATE_LIMITED, MACHINE_NOT_ACTIVE
     */
    uploadPage: async (asking: MachineRequest, order: SiteUpload): Promise<SiteUploaded> => {
      const { caller, slug } = asking
      publishing(reader, asking)
      const bytes = bytesOf(order)
      const { path, content_type: media_type } = order
      const sha = toHex(sha256(bytes))
      return store.commit((tx) => {
        const { machine, standing } = publishing(tx, asking)
        assertActive(machine)
        const key = sitePageKey(slug, path)
        const before = tx.get('sitePage', key)
        const there = before?.sha === sha ? pageView(tx, slug, before) : undefined
        if (there?.content_type === media_type) return { slug, page: there, replaced: null, recorded: null }
        place(tx, slug, { path, sha, media_type, bytes })
        const open = { path, sha, media_type, bytes: bytes.length }
        const row = say(context, tx, machine, { type: SITE_ENTRY, open, caller, standing })
        const { seq, tick } = row.entry
        tx.put('sitePage', key, { path, sha, seq, tick })
        const page = { path, sha, content_type: media_type, bytes: bytes.length, seq, tick }
        return { slug, page, replaced: before?.sha ?? null, recorded: recordedOf(slug, row) }
      })
    },

    /** The pages by path, for whoever may see the machine. @throws Fault NOT_FOUND */
    sitePages: async (
      { caller, slug }: MachineRequest,
      { limit, after }: { readonly limit: number; readonly after?: string | undefined },
    ): Promise<SiteListing> => {
      admitted(reader, { slug, caller, needed: 'none' })
      const { pages: total, bytes } = siteOf(reader, slug)
      const pages: SitePageView[] = []
      const { gte, lt } = under(slug)
      const bounds = after === undefined ? { gte, lt } : { gt: sitePageKey(slug, after), lt }
      let more = false
      for await (const [, row] of store.range('sitePage', { ...bounds, limit: limit + 1 })) {
        more = pages.length === limit
        const view = more ? undefined : pageView(reader, slug, row)
        if (view !== undefined) pages.push(view)
      }
      const next_after = more ? (pages.at(-1)?.path ?? null) : null
      return { slug, pages, total, bytes, limit: SITE_PAGES_MAX, next_after }
    },

    /** A file that some page names, for whoever may see the machine. @throws Fault NOT_FOUND */
    siteFile: async ({ caller, slug }: MachineRequest, sha: string): Promise<SiteFile> => {
      admitted(reader, { slug, caller, needed: 'none' })
      const key = keyOf(slug, sha)
      const file = store.peek('siteFile', key)
      const bytes = file === undefined ? undefined : await store.get('siteBytes', key)
      if (file === undefined || bytes === undefined) throw new Fault('NOT_FOUND', 'The machine has no such file.')
      return { sha, media_type: sentMediaType(file.media_type), bytes }
    },
  }
}
