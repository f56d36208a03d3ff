import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A file that is served: its bytes, media type, digest and how long it may be kept. */
export interface Page {
  readonly bytes: Uint8Array
  readonly type: string
  readonly etag: string
  readonly cacheControl: string
  /** Whether its name holds its digest: what was kept of it stands for as long as anybody has the name. */
  readonly lasting: boolean
  /** A content security policy of its own, where that of all answers is not meant for it. */
  readonly policy?: string
}

/** Finds the page of a path; undefined when there is none. */
export type Pages = (path: string) => Page | undefined

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** Files of the page, and bytes of each: the bundle is small, and anything else in its folder is a mistake. */
const FILES_MAX = 256
const FILE_BYTES_MAX = 8_388_608

/** A file as it is served. @param fresh whether it is asked for anew each time */
export const page = (bytes: Uint8Array, name: string, fresh: boolean): Page => ({
  bytes,
  type: types[extname(name)] ?? 'application/octet-stream',
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  cacheControl: fresh ? 'no-cache' : 'public, max-age=31536000, immutable',
  lasting: !fresh,
})

const filesUnder = (directory: string, at = ''): string[] =>
  readdirSync(join(directory, at), { withFileTypes: true }).flatMap((entry) => {
    const name = at === '' ? entry.name : `${at}/${entry.name}`
    return entry.isDirectory() ? filesUnder(directory, name) : entry.isFile() ? [name] : []
  })

const read = (directory: string): ReadonlyMap<string, Page> => {
  const found = new Map<string, Page>()
  for (const name of filesUnder(directory).slice(0, FILES_MAX)) {
    const path = join(directory, name)
    if (statSync(path).size > FILE_BYTES_MAX) continue
    // Bundled assets carry their digest in the name; index.html names the assets of the day.
    found.set(`/${name}`, page(readFileSync(path), name, !name.startsWith('assets/')))
  }
  return found
}

/** Path of the verifier in one file. */
const VERIFIER = '/verify.html'
/** The policy that a page states itself: its scripts stand in it, and are allowed by their digests alone. */
const STATED = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/

/** The verifier in one file, read once; no path where it was not built. */
export const verifierPages = (directory: string): Pages => {
  const file = join(directory, '..', VERIFIER)
  if (!existsSync(file)) return () => undefined
  const bytes = readFileSync(file)
  const [, stated = "default-src 'none'"] = STATED.exec(bytes.toString('utf8')) ?? []
  const found = { ...page(bytes, VERIFIER, true), policy: `${stated}; frame-ancestors 'none'` }
  return (path) => (path === VERIFIER ? found : undefined)
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>tickmesh</title>
<p>The page is not built. Run the set-up again; the interface is described at <a href="/docs">/docs</a>.</p></html>`

/** A receipt's own address: the same page, which reads there what it shows. */
const RECEIPT = /^\/r\/[0-9a-f]{32}$/

/** The application of `.build/ui`, read once: only paths that were there at start exist, whatever a request spells. */
export const uiPages = (directory: string): Pages => {
  let files: ReadonlyMap<string, Page>
  try {
    files = read(directory)
  } catch {
    files = new Map()
  }
  const index = files.get('/index.html') ?? page(new TextEncoder().encode(NOT_BUILT), 'index.html', true)
  return (path) => (path === '/' || path === '/index.html' || RECEIPT.test(path) ? index : files.get(path))
}
