// Shows that every function of numerics/math.ts, every published solver row, whole and by segments, and every operator
// gives the same bits on Node 22, 24 and 26 (V8), in Chromium, and in Bun (JavaScriptCore):
// `node scripts/same-bits.ts [--only=24,bun]`. Other
// Nodes and Bun come from the npm registry into a temporary folder; an engine that cannot be had is named and counts as
// a failure unless left out with --only. Another processor is asked for by name, since it takes long: with
// --only=24,arm64 the arm64 build of Node runs under qemu-user (Debian: qemu-user, libc6- and libstdc++6-arm64-cross).
// The table goes to stdout; times, progress and how many rows each solver has go to stderr.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { solvers } from '#numerics/solvers/index.ts'
import { ARGUMENTS, type Row } from './same-bits-digests.ts'

const run = promisify(execFile)
const ENGINE_MS_MAX = 900_000
/** An emulated processor is some twenty times slower. */
const EMULATED_MS_MAX = 7_200_000
const INSTALL_MS_MAX = 600_000
const OUTPUT_BYTES_MAX = 16_777_216
/** Published rows that each solver has at the least. */
const ROWS_MIN = 3

/** Releases from the registry: the last ones of their lines that this was run with. */
const releases = { 22: '22.23.3', 24: '24.21.0', 26: '26.10.0', bun: '1.4.5' } as const

type Digests = Readonly<Record<string, string>>
interface Found {
  readonly engine: string
  readonly digests: Digests
}

const operatorFolder = new URL('../protocols/operators/', import.meta.url)
const operatorFiles = readdirSync(operatorFolder)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .map((name) => new URL(name, operatorFolder).pathname)
const operatorTexts = operatorFiles.map((path) => readFileSync(path, 'utf8'))

const digestFolder = new URL('../protocols/solvers/digests/', import.meta.url)
const digestFiles = readdirSync(digestFolder)
  .sort()
  .map((name) => new URL(name, digestFolder).pathname)
const rows = digestFiles.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as Row[])

const source = JSON.stringify(new URL('same-bits-digests.ts', import.meta.url).href)
const program = `
  const { readFileSync } = await import('node:fs')
  const operatorTexts = ${JSON.stringify(operatorFiles)}.map((path) => readFileSync(path, 'utf8'))
  const rows = ${JSON.stringify(digestFiles)}.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')))
  const { digests } = await import(${source})
  const engine = 'Node ' + process.versions.node + ', V8 ' + process.versions.v8
  console.log(JSON.stringify({ engine, digests: digests(operatorTexts, rows) }))`

/** What a program that was started prints, as the digests of an engine. */
const foundBy = async (binary: string, args: readonly string[], timeoutMs = ENGINE_MS_MAX): Promise<Found> => {
  const running = run(binary, args, { timeout: timeoutMs, maxBuffer: OUTPUT_BYTES_MAX })
  running.child.stderr?.pipe(process.stderr)
  return JSON.parse((await running).stdout) as Found
}

const nodeArgs = ['--no-warnings', '--input-type=module', '--eval', program]
const onNode = (binary: string): Promise<Found> => foundBy(binary, nodeArgs)

/** Puts a package of the registry into a folder without running any script of it, whatever processor it is for. */
const install = async (folder: string, name: string, version: string): Promise<string> => {
  const prefix = join(folder, `${name.replace('/', '-')}-${version}`)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', '--force']
  await run('npm', ['install', ...flags, '--prefix', prefix, `${name}@${version}`], {
    timeout: INSTALL_MS_MAX,
    cwd: folder,
  })
  return join(prefix, 'node_modules', name)
}

const here = process.arch === 'arm64' ? 'arm64' : 'x64'
const nodeOf = async (folder: string, version: string, processor = here): Promise<string> =>
  join(await install(folder, `node-linux-${processor}`, version), 'bin', 'node')

/** Where Debian's cross packages put the libraries of the other processor. */
const ARM64_ROOT = '/usr/aarch64-linux-gnu'

const onArm64 = async (folder: string): Promise<Found> => {
  const binary = await nodeOf(folder, releases[24], 'arm64')
  if (!existsSync(ARM64_ROOT)) throw new Error(`${ARM64_ROOT} is not there: install libc6-arm64-cross`)
  const found = await foundBy('qemu-aarch64', ['-L', ARM64_ROOT, binary, ...nodeArgs], EMULATED_MS_MAX)
  return { ...found, engine: `${found.engine}, arm64 under qemu-user` }
}

/** Bun runs the bundle that the browser runs: its engine is what is compared, not its way of resolving imports. */
const inBun = async (folder: string): Promise<Found> => {
  const binary = join(
    await install(folder, `@oven/bun-linux-${here === 'x64' ? 'x64' : 'aarch64'}`, releases.bun),
    'bin',
  )
  const file = join(folder, 'bun.js')
  const data = `${JSON.stringify(operatorTexts)}, ${JSON.stringify(rows)}`
  const print = `console.log(JSON.stringify({ engine: 'Bun ' + Bun.version, digests: sameBits.digests(${data}) }))`
  writeFileSync(file, `${await bundle(folder)}\n${print}\n`)
  return foundBy(join(binary, 'bun'), ['run', file])
}

/** One self-contained script that leaves the digests in `sameBits`. */
const bundle = async (folder: string): Promise<string> => {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: join(folder, 'bundle'),
      emptyOutDir: true,
      target: 'es2023',
      lib: {
        entry: new URL('same-bits-digests.ts', import.meta.url).pathname,
        formats: ['iife'],
        name: 'sameBits',
        fileName: () => 'same-bits.js',
      },
    },
  })
  return readFileSync(join(folder, 'bundle', 'same-bits.js'), 'utf8')
}

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const inChromium = async (folder: string): Promise<Found> => {
  const executablePath = BROWSERS.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('there is no Chromium here')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(ENGINE_MS_MAX)
    page.on('console', (message) => console.error(message.text()))
    await page.addScriptTag({ content: await bundle(folder) })
    const digests = (await page.evaluate(
      `sameBits.digests(${JSON.stringify(operatorTexts)}, ${JSON.stringify(rows)})`,
    )) as Digests
    return { engine: `Chromium ${browser.version()}`, digests }
  } finally {
    await browser.close()
  }
}

/** Name and number of published rows of every solver. */
const rowCounts = solvers.map(({ name }) => ({
  name,
  count: rows.filter(({ solver }) => solver.startsWith(`${name}@`)).length,
}))
console.error(`rows a solver: ${rowCounts.map(({ name, count }) => `${name} ${count}`).join(', ')}`)
const few = rowCounts.filter(({ count }) => count < ROWS_MIN)
for (const { name, count } of few) console.error(`${name} has ${count} rows, fewer than ${ROWS_MIN}`)

const folder = mkdtempSync(join(tmpdir(), 'tickmesh-same-bits-'))
const engines: Readonly<Record<string, () => Promise<Found>>> = {
  22: async () => onNode(await nodeOf(folder, releases[22])),
  24: () => onNode(process.execPath),
  26: async () => onNode(await nodeOf(folder, releases[26])),
  chromium: () => inChromium(folder),
  bun: () => inBun(folder),
}
const emulated: typeof engines = { arm64: () => onArm64(folder) }

const wanted =
  process.argv
    .find((it) => it.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',') ?? Object.keys(engines)
const found: Found[] = []
let failed = few.length > 0
try {
  for (const name of wanted) {
    try {
      const start = engines[name] ?? emulated[name]
      if (start === undefined) throw new Error(`is not one of ${Object.keys({ ...engines, ...emulated }).join(', ')}`)
      console.error(`${name}:`)
      const from = performance.now()
      const one = await start()
      const seconds = ((performance.now() - from) / 1e3).toFixed(0)
      console.error(
        `${one.engine}: ${Object.keys(one.digests).length} digests, ${seconds} s with what it took to start`,
      )
      found.push(one)
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      failed = true
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const [first, ...others] = found
const names = [...new Set(found.flatMap(({ digests }) => Object.keys(digests)))]
let equal = 0
for (const name of names) {
  const unequal = others.filter(({ digests }) => digests[name] !== first?.digests[name])
  if (unequal.length === 0) equal++
  const digest = first?.digests[name] ?? 'none'
  const verdict = unequal.length === 0 ? 'same' : `DIFFERS on ${unequal.map(({ engine }) => engine).join('; ')}`
  console.log(
    `${verdict.padEnd(6)} ${digest.slice(0, 16).padEnd(17)} ${name.length > 88 ? `${name.slice(0, 87)}…` : name}`,
  )
}
console.log(`\n${found.map(({ engine }) => engine).join(' | ')}`)
console.log(
  `${equal} of ${names.length} digests are the same on ${found.length} engines; ${ARGUMENTS} arguments per function`,
)
if (failed || equal < names.length || found.length < 2) process.exitCode = 1
