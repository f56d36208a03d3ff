import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file that is served: its bytes, media type, digest and how long it may be kept. */
export interface Page {
  readonly bytes: Uint8Array
  readonly type: string
  readonly etag: string
  readonly cacheControl: string
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

/** What of the API page is ours, and what its viewer brings. */
const OWN = { '': 'index.html', 'docs.js': 'docs.js', 'docs.css': 'docs.css' }
const VENDORED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** The API page at /docs: everything it loads lies here, and no script stands in the page itself. */
export const docsPages = (): Pages => {
  const vendor = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const own = fileURLToPath(new URL('docs', import.meta.url))
  const places = new Map<string, string>([
    ...Object.entries(OWN).map(([name, file]) => [`/docs/${name}`, join(own, file)] as const),
    ...VENDORED.map((name) => [`/docs/${name}`, join(vendor, name)] as const),
  ])
  const files = new Map<string, Page>()
  return (asked) => {
    const path = asked === '/docs' ? '/docs/' : asked
    const file = places.get(path)
    if (file === undefined) return undefined
    // One and a half megabytes that most nodes never serve are read when they are asked for, once.
    const found = files.get(path) ?? page(readFileSync(file), file, true)
    files.set(path, found)
    return found
  }
}
