import { dirname, join } from 'node:path/posix'
import { layerOf } from './layers.ts'
import { type Breach, breach, type Source, withoutKernels } from './source.ts'

const TOP = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
]
const TOP_FOLDERS = ['src', 'protocols', 'config', 'scripts', 'test', 'docker']
const ALLOWED = new Set([...TOP, 'CONTRIBUTING.md', ...TOP_FOLDERS])

/** Nothing lies at the top but what the plan of the house names; what is built goes to `.build`. */
export const topBreaches = (files: readonly string[]): readonly Breach[] => {
  const names = new Set(files.map((file) => file.split('/')[0] ?? file))
  return [...names]
    .filter((it) => !it.startsWith('.') && !ALLOWED.has(it))
    .map((it) => breach(it, 'does not belong at the top'))
}

/** The file an import means, or undefined when it is a library, a generated module or not there. */
export const targetOf = (file: string, from: string, known: ReadonlySet<string>): string | undefined => {
  const path = from.startsWith('#') ? `src/${from.slice(1)}` : from.startsWith('.') ? join(dirname(file), from) : ''
  return [path, `${path}.ts`, `${path}/index.ts`].find((it) => known.has(it))
}

/** Folders whose every file is one thing of one kind, listed in one file: `folder → index`. */
const registries: readonly { readonly folder: RegExp; readonly index: (folder: string) => string }[] = [
  { folder: /^src\/api\/[^/]+$/, index: (folder) => `${folder}/index.ts` },
  { folder: /^src\/numerics\/solvers\/[^/]+$/, index: () => 'src/numerics/solvers/index.ts' },
  { folder: /^src\/mesh\/(?:topics|protocols)$/, index: (folder) => `${folder}/index.ts` },
  { folder: /^src\/domain\/network\/events$/, index: (folder) => `${folder}/index.ts` },
  { folder: /^src\/store\/rows$/, index: () => 'src/store/layout.ts' },
  { folder: /^src\/cli\/commands$/, index: (folder) => `${folder}/index.ts` },
]

/**
 * Every file of a registry's folder hangs from its index: the index imports it, or a file that the index imports does.
 * An endpoint, solver, topic or command that nobody lists would silently not exist.
 */
export const registryBreaches = (sources: readonly Source[]): readonly Breach[] => {
  const known = new Map(sources.map((it) => [it.file, it]))
  return withoutKernels(sources).flatMap(({ file }) => {
    const registry = registries.find(({ folder }) => folder.test(dirname(file)))
    if (registry === undefined) return []
    const index = registry.index(dirname(file))
    if (file === index) return []
    return reachable([index], known).has(file) ? [] : [breach(file, `does not hang from ${index}`)]
  })
}

const reachable = (from: readonly string[], known: ReadonlyMap<string, Source>): ReadonlySet<string> => {
  const names = new Set(known.keys())
  const seen = new Set<string>()
  const queue = from.filter((it) => names.has(it))
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const { from: name } of known.get(file)?.imports ?? []) {
      const next = targetOf(file, name, names)
      if (next !== undefined) queue.push(next)
    }
  }
  return seen
}

/**
 * Where programs begin: command line, page and what the bundler puts into it, verifier and its way to the worker,
 * scripts; both files of `#crypto`.
 */
const ENTRIES =
  /^(?:src\/(?:cli\/main\.ts|ui\/(?:main|part\/import-piece|verifier\/[\w-]+)\.tsx?|ports\/crypto\.\w+\.ts)$|scripts\/)/

/** Every file of `src` is part of a program. One that only its test imports is dead. */
export const deadBreaches = (sources: readonly Source[]): readonly Breach[] => {
  const known = new Map(sources.map((it) => [it.file, it]))
  const alive = reachable(
    [...known.keys()].filter((file) => ENTRIES.test(file)),
    known,
  )
  return withoutKernels(sources)
    .filter(({ file }) => layerOf(file) !== undefined && !alive.has(file))
    .map(({ file }) => breach(file, 'no program imports it'))
}

const DOMAINS = 'compute machines contracts agents economy identity vault messaging network apps explorer'.split(' ')
/** What stands beside them: who presents what; and hosted computations, which are of compute and need machines. */
const GROUND = ['credentials', 'channels']
const BY_DOMAIN = /^(?:src\/domain|src\/api|test\/domain|test\/api)\/([^/]+)\//

/** One word for a domain, everywhere. */
export const domainBreaches = (files: readonly string[]): readonly Breach[] => {
  const folders = new Set(files.flatMap((file) => BY_DOMAIN.exec(file)?.[0] ?? []))
  return [...folders]
    .filter((it) => ![...DOMAINS, ...GROUND].includes(BY_DOMAIN.exec(it)?.[1] ?? ''))
    .map((it) => breach(it, `is not a domain: ${DOMAINS.join(', ')}`))
}
