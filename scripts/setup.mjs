#!/usr/bin/env node
// Brings a clone to where it can run: dependencies (Node 24 among them), kernels, page. Each step runs only when its
// inputs changed. Plain JavaScript for Node 20: it runs before there is anything else. All it says goes to stderr.
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SHRINKWRAP } from './packed.mjs'
import { filesUnder, listing, replace, sha256, writeWhole } from './setup-files.mjs'
import { takeLock } from './setup-lock.mjs'
import { BUILD, isAsSeen, NODE_MAJOR, ROOT, remember, statsOf } from './setup-seen.mjs'

const LOCK_WAIT_MS_MAX = 15 * 60_000

/**
 * `inputs` is all that the outputs depend on, as text; `done` says that they are right although the stamp is missing.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} stamp
 * @property {readonly string[]} outputs
 * @property {() => string} inputs
 * @property {() => Promise<void>} work
 * @property {() => boolean} [done]
 */

/** @param {string} text */
const say = (text) => process.stderr.write(`setup: ${text}\n`)

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()

/** What is kept of a program's output, in case it fails. */
const OUTPUT_CHARS_MAX = 100_000

/**
 * Runs a program to its end. What it says is for whom it fails: then it goes to our stderr.
 * @param {string} program @param {readonly string[]} args @returns {Promise<void>}
 */
export const run = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    children.add(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said = (said + text).slice(-OUTPUT_CHARS_MAX)
      })
    }
    child.on('error', reject)
    child.on('close', (code, signal) => {
      children.delete(child)
      if (code === 0) return resolve()
      process.stderr.write(said)
      reject(new Error(`${[basename(program), ...args].join(' ')} ended with ${signal ?? code}`))
    })
  })

/** The Node that runs our tools: the installed one, or this one where the registry has none for the platform. */
const node = () => (existsSync('node_modules/.bin/node') ? 'node_modules/.bin/node' : process.execPath)

/**
 * Whether what is installed is what the lock file says: then an install would change nothing. npm keeps its own list of
 * what it installed; packages for other platforms are missing from it.
 * @returns {boolean}
 */
const installed = () => {
  const list = 'node_modules/.package-lock.json'
  if (!existsSync(list)) return false
  const have = JSON.parse(readFileSync(list, 'utf8')).packages
  const { '': root, ...want } = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const own = JSON.parse(readFileSync('package.json', 'utf8'))
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies']
  if (kinds.some((kind) => JSON.stringify(sorted(own[kind])) !== JSON.stringify(sorted(root[kind])))) return false
  return Object.entries(want).every(([path, { version, integrity, optional }]) => {
    const found = have[path]
    return found === undefined ? optional === true : found.version === version && found.integrity === integrity
  })
}

/** @param {Record<string, string> | undefined} record */
const sorted = (record) => Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

const install = async () => {
  const npm = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--prefer-offline']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { npm_execpath: cli, npm_node_execpath: itsNode } = process.env
  // npm's own Node, because .bin/node is deleted by npm ci.
  if (cli?.endsWith('.js')) await run(itsNode ?? process.execPath, [cli, ...npm, ...quiet])
  else await run('npm', [...npm, ...quiet])
  await checkNode()
}

/** A Node that does not start (it is built for glibc) would only hide a good one on PATH. */
const checkNode = async () => {
  const ours = 'node_modules/.bin/node'
  if (existsSync(ours)) {
    try {
      return await run(ours, ['-e', ''])
    } catch {
      rmSync(ours)
    }
  }
  const found = process.versions.node
  if (Number(found.split('.')[0]) >= NODE_MAJOR) return
  throw new Error(
    `no Node ${NODE_MAJOR} in the registry for ${process.platform}-${process.arch}; put one on PATH (found ${found})`,
  )
}

/** Kernels lie in the folder `kernels` of their solver, or of the methods; their names are those of the files. */
const kernelSources = () =>
  filesUnder(['src/numerics'])
    .filter((file) => /\/kernels\/\w+\.ts$/.test(file))
    .sort((a, b) => (kernelName(a) < kernelName(b) ? -1 : 1))

/** @param {string} source */
const kernelName = (source) => basename(source, '.ts')

/** How many compilers run at a time. */
const COMPILERS = 2

const ASC_FLAGS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd']

/** All that a compiled kernel depends on. @param {readonly string[]} sources */
const kernelInputs = (sources) => `${ASC_FLAGS.join(' ')}\n${listing([lock, ...sources])}`

/** A kernel's source and those that it imports, which import none themselves. @param {string} source */
const partsOf = (source) => {
  const names = readFileSync(source, 'utf8').matchAll(/ from '(\.[./\w]*)'/g)
  return [source, ...[...names].map(([, name]) => join(dirname(source), `${name}.ts`))]
}

/** Compiles the kernels whose source changed; the others are taken over. */
const compileKernels = async () => {
  const half = `${BUILD}/kernels.${process.pid}`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  /** @type {string[]} */
  const changed = []
  for (const source of kernelSources()) {
    const file = `${kernelName(source)}.wasm`
    const stamp = sha256(kernelInputs(partsOf(source)))
    const [old, oldStamp] = [`${BUILD}/kernels/${file}`, `${BUILD}/kernels/${file}.stamp`]
    const kept = existsSync(old) && existsSync(oldStamp) && readFileSync(oldStamp, 'utf8') === stamp
    if (kept) copyFileSync(old, `${half}/${file}`)
    else changed.push(source)
    writeFileSync(`${half}/${file}.stamp`, stamp)
  }
  // The long ones are dealt out first, so that the compilers end at about the same time.
  changed.sort((a, b) => statSync(b).size - statSync(a).size)
  const hands = Array.from({ length: COMPILERS }, (_, hand) => changed.filter((_, i) => i % COMPILERS === hand))
  const compile = (/** @type {string[]} */ sources) => {
    const files = sources.flatMap((source) => [source, `${half}/${kernelName(source)}.wasm`])
    return run(node(), ['scripts/setup-kernels.mjs', JSON.stringify(ASC_FLAGS), ...files])
  }
  await Promise.all(hands.filter((sources) => sources.length > 0).map(compile))
  replace(`${BUILD}/kernels`, half)
}

/** What a replay must load, as one digest: see `code.release` of a claim. */
const RELEASE = ['protocols/constants.json', 'src/core', 'src/numerics']

const writeKernelModule = async () => {
  const kernels = kernelSources().map((source) => {
    const bytes = readFileSync(`${BUILD}/kernels/${kernelName(source)}.wasm`)
    return `export const ${kernelName(source)} =\n  '${bytes.toString('base64')}'\n`
  })
  const release = `export const release = '${sha256(listing(filesUnder(RELEASE)))}'\n`
  writeWhole(`${BUILD}/kernels.ts`, `// Made by scripts/setup.mjs.\n${kernels.join('')}${release}`)
}

/** What the endpoints are made of, the kernels' module apart, which is made of a part of it. */
const ENDPOINTS = ['protocols', 'src/api', 'src/core', 'src/domain', 'src/numerics', 'scripts/setup-endpoints.ts']

const writeEndpoints = async () => {
  const half = `${BUILD}/endpoints.json.${process.pid}`
  await run(node(), ['--no-warnings', 'scripts/setup-endpoints.ts', half])
  renameSync(half, `${BUILD}/endpoints.json`)
}

const buildPage = async () => {
  const half = `${BUILD}/ui.${process.pid}`
  const out = join(process.cwd(), half)
  const args = ['build', '--config', 'config/vite.config.ts', '--logLevel', 'warn', '--outDir', out, '--emptyOutDir']
  await run(node(), ['node_modules/vite/bin/vite.js', ...args])
  replace(`${BUILD}/ui`, half)
}

const buildVerifier = async () => {
  const half = `${BUILD}/verify.html.${process.pid}`
  await run(node(), ['--no-warnings', 'scripts/setup-verifier.ts', half])
  renameSync(half, `${BUILD}/verify.html`)
}

const writeDocuments = async () => {
  const half = `${BUILD}/docs.${process.pid}`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  await run(node(), ['--no-warnings', 'scripts/setup-documents.ts', half])
  replace(`${BUILD}/docs`, half)
}

/** What people read, and what makes pages of it. */
const TEXTS = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'protocols']
const RENDERING = ['scripts/documents', 'scripts/setup-documents.ts', 'src/ui/style/base.css', 'src/ui/icon.svg']
const isText = (/** @type {string} */ file) => /\.(?:md|svg)$/.test(file)

/** The tools and libraries a build depends on, by the lock file. */
const lock = 'package-lock.json'
const PAGE = [
  'config/vite.config.ts',
  'protocols/constants.json',
  'protocols/operators',
  'src/core',
  'src/node/zones.ts',
  'src/numerics',
  'src/ports',
  'src/ui',
]

/** What packs the verifier into one file; its code is the page's. */
const VERIFIER = 'scripts/setup-verifier.ts'

/** @returns {Step[]} */
const steps = () => [
  {
    name: 'dependencies',
    stamp: 'node_modules/.tickmesh-stamp', // npm ci deletes it first, so that a broken-off install is stale by itself
    inputs: () => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
      return JSON.stringify([dependencies, devDependencies, optionalDependencies]) + listing([lock])
    },
    outputs: ['node_modules/.package-lock.json'],
    done: installed,
    work: install,
  },
  {
    name: 'kernels',
    stamp: `${BUILD}/kernels.stamp`,
    inputs: () => kernelInputs(kernelSources()),
    outputs: [`${BUILD}/kernels`],
    work: compileKernels,
  },
  {
    name: 'kernel module',
    stamp: `${BUILD}/module.stamp`,
    inputs: () => listing([lock, ...filesUnder(RELEASE)]),
    outputs: [`${BUILD}/kernels.ts`],
    work: writeKernelModule,
  },
  {
    name: 'endpoints',
    stamp: `${BUILD}/endpoints.stamp`,
    inputs: () => listing([lock, ...filesUnder(ENDPOINTS)]),
    outputs: [`${BUILD}/endpoints.json`],
    work: writeEndpoints,
  },
  {
    name: 'documents',
    stamp: `${BUILD}/docs.stamp`,
    inputs: () => listing([lock, ...RENDERING.flatMap((it) => filesUnder([it])), ...filesUnder(TEXTS).filter(isText)]),
    outputs: [`${BUILD}/docs/contents.json`],
    work: writeDocuments,
  },
  ...(existsSync('src/ui/main.tsx')
    ? [
        {
          name: 'page',
          stamp: `${BUILD}/ui.stamp`,
          inputs: () => listing([lock, ...filesUnder(PAGE)]),
          outputs: [`${BUILD}/ui/index.html`],
          work: buildPage,
        },
        {
          name: 'verifier',
          stamp: `${BUILD}/verifier.stamp`,
          inputs: () => listing([lock, ...filesUnder([...PAGE, VERIFIER])]),
          outputs: [`${BUILD}/verify.html`],
          work: buildVerifier,
        },
      ]
    : []),
]

/** All that the steps read and make, and the steps themselves: while none of it changes, nothing is stale. */
const watched = () => {
  const made = steps().flatMap(({ stamp, outputs }) => [stamp, ...outputs])
  const own = ['setup.mjs', 'setup-files.mjs', 'setup-kernels.mjs', 'setup-endpoints.ts'].map((it) => `scripts/${it}`)
  const sources = [...RELEASE, ...ENDPOINTS, ...TEXTS, ...RENDERING, ...PAGE, VERIFIER]
  const all = [...new Set(['package.json', lock, ...own, ...sources, ...made])]
  return all.filter((path) => !all.some((it) => path.startsWith(`${it}/`)))
}

/** The stamp a step's inputs call for. @param {Step} step */
const stampOf = (step) => sha256(step.inputs())

/** @param {Step} step */
const isFresh = (step) =>
  step.outputs.every((output) => existsSync(output)) &&
  existsSync(step.stamp) &&
  readFileSync(step.stamp, 'utf8') === stampOf(step)

/** @param {Step} step */
const freshen = async (step) => {
  if (isFresh(step)) return
  const stamp = stampOf(step) // before the work: an input that changes under it leaves the step stale
  if (step.done?.() !== true) {
    say(`${step.name} …`)
    const from = performance.now()
    await step.work()
    say(`${step.name} done in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  writeWhole(step.stamp, stamp)
}

/** Bytes of compiled code that are kept beside the sources, some ten releases' worth. */
const COMPILED_BYTES_MAX = 268_435_456

/**
 * Empties a folder of compiled code that has grown beyond a bound: what sources of old left there looks like the rest.
 * @param {string} folder @param {number} bytesMax
 */
export const pruneCompiled = (folder, bytesMax) => {
  const sizes = filesUnder([folder]).map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  if (sizes.reduce((sum, size) => sum + size, 0) > bytesMax) rmSync(folder, { recursive: true, force: true })
}

/** Removes what a set-up that was killed left half done, and compiled code beyond its bound. The lock's holder may. */
const sweep = () => {
  rmSync(SHRINKWRAP, { force: true }) // of a pack that was killed: npm would read it before the lock file
  for (const name of existsSync(BUILD) ? readdirSync(BUILD) : []) {
    if (/^(?:kernels|ui|docs|seen|kernels\.ts|endpoints\.json|verify\.html|\w+\.stamp)\.\d+$/.test(name))
      rmSync(`${BUILD}/${name}`, { recursive: true })
  }
  pruneCompiled(`${BUILD}/compiled`, COMPILED_BYTES_MAX)
}

/**
 * Runs the steps that are stale, in order; says nothing when none is, and only remembers what it saw. Of two that start
 * at once the second waits for the first.
 * @returns {Promise<void>}
 */
export const setUp = async () => {
  process.chdir(ROOT)
  if (isAsSeen()) return
  const roots = watched()
  const stats = statsOf(roots) // before the steps read anything
  if (steps().every(isFresh)) return remember(roots, stats)
  const release = await takeLock(`${BUILD}/setup.lock`, { msMax: LOCK_WAIT_MS_MAX, say })
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    for (const child of children) child.kill(signal)
    release()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    sweep()
    for (const step of steps()) await freshen(step)
  } finally {
    for (const child of children) child.kill()
    process.off('SIGINT', stop).off('SIGTERM', stop)
    release()
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await setUp()
  } catch (error) {
    say(/** @type {Error} */ (error).message)
    process.exitCode = 1
  }
}
