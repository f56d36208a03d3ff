import type { Import } from './scan.ts'
import { type Breach, breach, type Source } from './source.ts'

/** What one layer of `src` may name. */
export interface Layer {
  /** Layers (and `#crypto`, `#kernels`, `#endpoints`) it may import, itself apart. */
  readonly may: readonly string[]
  /** Layers of which it may import types alone. */
  readonly mayTypes?: readonly string[]
  /** Of those layers the files whose values it may import all the same. */
  readonly mayValues?: RegExp
  /** Libraries, `scope/*` and `prefix-*` allowed. A library of one domain alone is `name@path`. */
  readonly libraries: readonly string[]
  /** Whether it may name Node's own modules: all, none, or those listed. */
  readonly node: boolean | readonly string[]
}

/** Schemas of what a domain answers, beside the service that makes it. */
const VIEWS = /^(?:#|src\/)domain\/[^/]+\/views(?:\/[^/]+)?\.ts$/

/** What a file of views may name: it is read by the interface too, so it knows schemas and nothing that runs. */
const viewLayer: Layer = { may: ['core', 'numerics', 'routing'], libraries: ['typebox'], node: false }

/** Zones by an engine's own tables, which a browser's engine has as well. */
const ZONES = /^#node\/zones\.ts$/

/**
 * The rooms of the house and their doors. Each folder of `src` has a row; `protocols` is data. typebox is the one
 * library of several layers: it is the language in which every layer declares what it takes in.
 */
export const layers: Readonly<Record<string, Layer>> = {
  ports: { may: [], libraries: ['@noble/*'], node: ['node:crypto', 'node:worker_threads'] },
  core: { may: ['ports', 'protocols', '#crypto'], libraries: ['typebox', '@scure/base'], node: false },
  numerics: { may: ['core', 'protocols', '#crypto', '#kernels'], libraries: ['decimal.js', 'typebox'], node: false },
  routing: { may: ['core', 'numerics', 'protocols'], libraries: ['typebox'], node: false },
  store: { may: ['core', '#crypto'], libraries: ['age-encryption', 'level', 'typebox'], node: true },
  domain: {
    may: ['ports', 'core', 'numerics', 'routing', 'store', '#crypto'],
    libraries: [
      '@hpke/core@src/domain/channels',
      '@resvg/resvg-wasm@src/domain/compute',
      'ipaddr.js@src/domain/contracts',
      'pngjs@src/domain/compute',
      'tar@src/domain/explorer',
      'typebox',
    ],
    node: true,
  },
  mesh: {
    may: ['core', 'domain', '#crypto'],
    libraries: ['ioredis@src/mesh/redis', 'libp2p', '@libp2p/*', '@chainsafe/*', '@multiformats/*', 'it-*', 'typebox'],
    node: true,
  },
  api: { may: ['core', 'numerics'], mayTypes: ['domain'], mayValues: VIEWS, libraries: ['typebox'], node: false },
  gateway: {
    may: ['core', 'api', '#endpoints'],
    mayTypes: ['domain'],
    libraries: ['koa', '@koa/*', 'koa-*', 'rate-limiter-flexible', 'typebox', 'ws'],
    node: true,
  },
  ui: {
    may: ['core', 'numerics', '#crypto'],
    mayTypes: ['api', 'node'],
    mayValues: ZONES,
    libraries: ['@dagrejs/dagre@src/ui/contracts', 'preact', 'qr', 'uplot'],
    node: false,
  },
  cli: {
    may: ['core', 'numerics', 'gateway', 'node'],
    mayTypes: ['api'],
    libraries: ['@hpke/core', 'commander', 'ws'],
    node: true,
  },
  node: {
    may: ['ports', 'core', 'numerics', 'store', 'domain', 'mesh', 'api', 'gateway', '#crypto', '#kernels'],
    libraries: ['pino', 'prom-client', 'typebox'],
    node: true,
  },
}

/** The layer a file of `src` belongs to, or undefined for a file elsewhere. */
export const layerOf = (file: string): string | undefined => /^src\/([^/]+)\//.exec(file)?.[1]

/** The package of a module name: `typebox/compile` is of `typebox`, `@koa/router/x` of `@koa/router`. */
const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

const fits = (pattern: string, name: string, file: string): boolean => {
  const at = pattern.indexOf('@', 1)
  const [library, only] = at === -1 ? [pattern, ''] : [pattern.slice(0, at), pattern.slice(at + 1)]
  const named = library.endsWith('*') ? name.startsWith(library.slice(0, -1)) : name === library
  return named && (only === '' || file.startsWith(`${only}/`))
}

const EXACT = ['#crypto', '#kernels', '#endpoints']

/** Why a layer may not import this, or undefined when it may. */
const refusal = (name: string, layer: Layer, file: string, it: Import): string | undefined => {
  const { from, typeOnly } = it
  if (from.startsWith('../')) return 'inside a layer write ./x.ts, between folders #layer/x.ts'
  if (from.startsWith('./')) return
  if (from.startsWith('#')) {
    const target = EXACT.includes(from) ? from : (from.slice(1).split('/')[0] ?? '')
    if (target === name || layer.may.includes(target)) return
    if (layer.mayTypes?.includes(target)) {
      return typeOnly || layer.mayValues?.test(from) === true ? undefined : `${name} may import only types of ${target}`
    }
    return `${name} may not import ${target}`
  }
  if (from.startsWith('node:')) {
    if (layer.node === true || (Array.isArray(layer.node) && layer.node.includes(from))) return
    return `${name} may not import ${from}`
  }
  const library = packageOf(from)
  if (layer.libraries.some((pattern) => fits(pattern, library, file))) return
  return `${name} may not name the library ${library}`
}

/** Why a file of views may not import this, or undefined when it may. */
const viewRefusal = (file: string, it: Import): string | undefined => {
  const folder = file.slice(0, file.lastIndexOf('/'))
  const named = it.from.startsWith('./') ? `${folder}/${it.from.slice(2)}` : it.from
  if (VIEWS.test(named)) return
  if (it.from.startsWith('./')) return 'views import views, core, numerics and typebox alone'
  return refusal('views', viewLayer, file, it)
}

/** Folders of the domain that do not know of each other: credentials stand below both who has them and machines. */
const APART: Readonly<Record<string, readonly string[]>> = {
  credentials: ['identity', 'machines'],
  identity: ['machines'],
  machines: ['identity'],
}

/** Why a file of the domain may not import this of another folder of it, or undefined when it may. */
const apart = (file: string, { from }: Import): string | undefined => {
  const [own = '', other = ''] = [/^src\/domain\/(\w+)\//.exec(file)?.[1], /^#domain\/(\w+)\//.exec(from)?.[1]]
  return APART[own]?.includes(other) === true ? `${own} knows nothing of ${other}` : undefined
}

/** Why a test or a script may not import this; a program that it starts as a process has only its address. */
const outside = ({ from, opened }: Import): string | undefined =>
  !opened && /^(?:\.\.\/)+src\//.test(from) ? 'write #layer/x.ts' : undefined

/** Imports of `src` keep to the table; tests and scripts name the sources by `#`. */
export const importBreaches = (sources: readonly Source[]): readonly Breach[] =>
  sources.flatMap(({ file, imports }) => {
    const name = layerOf(file)
    const layer = name === undefined ? undefined : layers[name]
    return imports.flatMap((it) => {
      const why = VIEWS.test(file)
        ? viewRefusal(file, it)
        : name === undefined
          ? outside(it)
          : layer && (refusal(name, layer, file, it) ?? apart(file, it))
      return why === undefined ? [] : [breach(file, why, it.line)]
    })
  })

/** Every folder of `src` has a row in the table, and every row a folder. */
export const layerBreaches = (sources: readonly Source[]): readonly Breach[] => {
  const found = new Set(sources.map(({ file }) => layerOf(file)).filter((it) => it !== undefined))
  const strange = [...found].filter((it) => layers[it] === undefined)
  const empty = Object.keys(layers).filter((it) => !found.has(it))
  const loose = sources.filter(({ file }) => /^src\/[^/]+$/.test(file))
  return [
    ...strange.map((it) => breach(`src/${it}`, 'has no row in scripts/tidy/layers.ts')),
    ...empty.map((it) => breach('scripts/tidy/layers.ts', `the row ${it} has no folder`)),
    ...loose.map(({ file }) => breach(file, 'a source lies in the folder of its layer')),
  ]
}
