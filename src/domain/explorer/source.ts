import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Header, Pack, ReadEntry } from 'tar'
import { assert } from '#core/assert.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { trackedNames } from './git-index.ts'

/** What the source is made of: the top of the house as its plan names it, and the settings that come with it. */
const TOP_FILES = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  '.biome.jsonc',
  '.ci/run',
  '.gitignore',
  'config/default.json',
  'config/local.json',
  'config/public.json',
  'config/vite.config.ts',
]
/** `config` itself is not walked: people put settings of their own there, and those may hold secrets. */
const FOLDERS = ['config/lint', 'docker', 'protocols', 'scripts', 'src', 'test']
const FILES_MAX = 8_192
const BYTES_MAX = 67_108_864
const DEPTH_MAX = 12

/** The list of all other files: their SHA-256 and path, as `sha256sum --check` reads it. */
export const MANIFEST = 'MANIFEST.sha256'

const MODE_PLAIN = 0o644
const MODE_RUN = 0o755
const GZIP_LEVEL = 9

export interface SourceFile {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

export interface SourceArchive {
  /** A gzipped POSIX tar: the same bytes for the same files, whoever asks and whenever it is made. */
  readonly bytes: Uint8Array
  /** Folder that everything lies in, `tickmesh-<version>`; the file's name is this and `.tar.gz`. */
  readonly name: string
  /** SHA-256 of the manifest, hex: names the source. */
  readonly digest: string
  readonly files: readonly SourceFile[]
}

interface Loaded extends SourceFile {
  readonly data: Uint8Array
  readonly mode: number
}

/** Plain files under a folder; what begins with a dot is an editor's, and links lead anywhere. */
const walk = async (root: string, at: string, depth = 0): Promise<readonly string[]> => {
  assert(depth < DEPTH_MAX, 'the source is not that deep')
  const entries = await readdir(join(root, at), { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries) {
    const path = `${at}/${entry.name}`
    if (entry.name.startsWith('.') || /[\n\r\\]|~$/.test(entry.name)) continue
    if (entry.isDirectory()) found.push(...(await walk(root, path, depth + 1)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

/** Where a file lies that an installed package holds under another name: npm leaves a lock file out of packages. */
const PACKED: Readonly<Record<string, string>> = { 'package-lock.json': 'npm-shrinkwrap.json' }

const load = async (root: string, path: string): Promise<Loaded | undefined> => {
  const places = [path, PACKED[path] ?? path].map((it) => join(root, it))
  const found = await Promise.any(places.map((it) => lstat(it).then((stat) => ({ stat, it })))).catch(() => undefined)
  if (found?.stat.isFile() !== true) return undefined
  const data = new Uint8Array(await readFile(found.it))
  const mode = (found.stat.mode & 0o100) === 0 ? MODE_PLAIN : MODE_RUN
  return { path, data, mode, bytes: data.length, sha256: toHex(sha256(data)) }
}

const loadAll = async (root: string): Promise<readonly Loaded[]> => {
  const tracked = await trackedNames(root)
  const walked = (await Promise.all(FOLDERS.map((folder) => walk(root, folder)))).flat()
  const names = [...TOP_FILES, ...walked].filter((path) => tracked === undefined || tracked.has(path))
  assert(names.length <= FILES_MAX, 'the source has no more files')
  const files: Loaded[] = []
  let bytes = 0
  // By the order of their code units, which no locale changes.
  for (const path of names.toSorted((a, b) => (a < b ? -1 : 1))) {
    const file = await load(root, path)
    if (file === undefined) continue
    bytes += file.bytes
    assert(bytes <= BYTES_MAX, 'the source is not that large')
    files.push(file)
  }
  return files
}

/** Packs files without owner, time or system, so that equal files make equal bytes. */
const pack = async (folder: string, files: readonly Pick<Loaded, 'path' | 'data' | 'mode'>[]): Promise<Uint8Array> => {
  const archive = new Pack({ portable: true, gzip: { level: GZIP_LEVEL, portable: true } })
  for (const { path, data, mode } of files) {
    const header = new Header({ path: `${folder}/${path}`, size: data.length, mode, type: 'File' })
    const entry = new ReadEntry(header)
    entry.end(Buffer.from(data))
    archive.add(entry)
  }
  archive.end()
  const chunks: Uint8Array[] = []
  for await (const chunk of archive as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const make = async (root: string, version: string): Promise<SourceArchive> => {
  const files = await loadAll(root)
  const name = `tickmesh-${version}`
  const manifest = utf8(files.map(({ sha256: hash, path }) => `${hash}  ${path}\n`).join(''))
  const bytes = await pack(name, [{ path: MANIFEST, data: manifest, mode: MODE_PLAIN }, ...files])
  const listed = files.map(({ path, sha256: hash, bytes: size }) => ({ path, sha256: hash, bytes: size }))
  return { bytes, name, digest: toHex(sha256(manifest)), files: listed }
}

/**
 * The source that runs here, archived when it is first asked for and kept: what the checkout tracks, or what an
 * unpacked archive holds.
 *
 * @param root folder of package.json.
 */
export const createSource = (root: string, version: string): (() => Promise<SourceArchive>) => {
  let made: Promise<SourceArchive> | undefined
  return () => {
    made ??= make(root, version).catch((cause: unknown) => {
      made = undefined
      throw cause
    })
    return made
  }
}
