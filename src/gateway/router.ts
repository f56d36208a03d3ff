import type { Endpoint, Method } from '#api/endpoint.ts'
import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, slipsOf } from '#core/near-names.ts'
import { splitRoute } from '#core/route.ts'

/** Where an endpoint stands: one of its routes, taken apart. */
export interface Route {
  readonly method: Method
  readonly path: string
  /** Names of the `{…}` parts, in order. */
  readonly names: readonly string[]
  readonly endpoint: Endpoint
  /** True for a legacy twin. */
  readonly alias: boolean
}

/** A route that fits a request, with its path parameters still as text. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

interface Branch {
  readonly literals: Map<string, Branch>
  parameter: Branch | undefined
  /** Of `{name...}`: takes whatever is left of a path, in one piece. */
  rest: Branch | undefined
  readonly routes: Map<string, Route>
}

/** Segments a path may have; no route is longer. */
export const SEGMENTS_MAX = 16

const branch = (): Branch => ({ literals: new Map(), parameter: undefined, rest: undefined, routes: new Map() })

/** Every route of every endpoint, legacy twins included. */
export const routesOf = (endpoints: readonly Endpoint[]): readonly Route[] =>
  endpoints.flatMap((endpoint) => {
    const all = [endpoint.route, ...(endpoint.also ?? [])]
    return all.map((route, i) => ({ ...splitRoute(route), endpoint, alias: i > 0 }))
  })

/** Whether the last part of a route takes the rest of the path. */
const takesRest = ({ path }: Pick<Route, 'path'>): boolean => path.endsWith('...}')

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Fault('INVALID_INPUT', 'The path is not valid percent-encoding.', {
      errors: [{ path: '', message: 'the path is not valid percent-encoding' }],
    })
  }
}

export interface Router {
  readonly routes: readonly Route[]
  /** @throws Fault NOT_FOUND, METHOD_NOT_ALLOWED (details name the allowed methods), INVALID_INPUT */
  match(method: string, path: string): Match
  /** Methods a path takes; empty when there is no such path. */
  allowed(path: string): readonly string[]
}

/** Whether a HEAD may stand for the GET: a stream has no end, a socket no answer, and a link would be used up. */
const takesHead = ({ endpoint: { streams, socket, acts } }: Route): boolean =>
  streams !== true && socket !== true && acts !== 'by-link'

/**
 * A tree over path segments in which a literal beats a `{name}`, and that a `{name...}`. Parameter names belong to the
 * endpoint.
 */
export const createRouter = (endpoints: readonly Endpoint[]): Router => {
  const root = branch()
  const routes = routesOf(endpoints)
  for (const route of routes) {
    const segments = route.path.split('/').slice(1)
    assert(!route.path.slice(0, -1).includes('...}'), `${route.path}: only the last part takes the rest`)
    assert(segments.length <= SEGMENTS_MAX, `${route.path} is too long`)
    let at = root
    for (const segment of segments) at = grow(at, segment)
    assert(!at.routes.has(route.method), `${route.method} ${route.path} stands twice`)
    at.routes.set(route.method, route)
  }

  /** Paths that differ in their last segment alone, and may be meant: names of solvers, mostly. */
  const beside = (path: string): readonly string[] => {
    const end = path.lastIndexOf('/') + 1
    const folder = path.slice(0, end)
    const all = routes.map((it) => it.path).filter((it) => it.startsWith(folder) && !/[/{]/u.test(it.slice(end)))
    const names = slipsOf(path.slice(end), [...new Set(all.map((it) => it.slice(end)))])
    return names.map((it) => `${folder}${it}`)
  }
  const find = (path: string): { at: Branch; values: readonly string[] } | undefined => {
    const segments = path.split('/').slice(1)
    if (!path.startsWith('/') || segments.length > SEGMENTS_MAX) return undefined
    return walk(root, segments, [])
  }
  const allowed = (path: string): readonly string[] => {
    const found = find(path)
    if (found === undefined) return []
    const { routes: all } = found.at
    const get = all.get('GET')
    return [...all.keys(), ...(get !== undefined && takesHead(get) ? ['HEAD'] : []), 'OPTIONS']
  }
  return {
    routes,
    allowed,
    match(method, path) {
      const found = find(path)
      if (found === undefined) throw new Fault('NOT_FOUND', `There is no such path.${didYouMean(beside(path))}`)
      const route = found.at.routes.get(method === 'HEAD' ? 'GET' : method)
      if (route === undefined || (method === 'HEAD' && !takesHead(route)))
        throw new Fault('METHOD_NOT_ALLOWED', undefined, { allow: allowed(path) })
      // A rest has slashes of its own, so it is what it is spelled: an encoded one is another spelling of no place.
      const plain = takesRest(route) ? route.names.length - 1 : undefined
      const read = (text: string, i: number): string => (i === plain ? text : decode(text))
      return { route, params: Object.fromEntries(route.names.map((name, i) => [name, read(found.values[i] ?? '', i)])) }
    },
  }
}

const grow = (at: Branch, segment: string): Branch => {
  if (/^\{\w+\.{3}\}$/.test(segment)) {
    at.rest ??= branch()
    return at.rest
  }
  if (/^\{\w+\}$/.test(segment)) {
    at.parameter ??= branch()
    return at.parameter
  }
  const next = at.literals.get(segment) ?? branch()
  at.literals.set(segment, next)
  return next
}

/** Depth-first, literals first; bounded by the length of the path. */
const walk = (
  at: Branch,
  segments: readonly string[],
  values: readonly string[],
): { at: Branch; values: readonly string[] } | undefined => {
  const [segment, ...others] = segments
  if (segment === undefined) return at.routes.size > 0 ? { at, values } : undefined
  const literal = at.literals.get(segment)
  const found = literal && walk(literal, others, values)
  if (found !== undefined) return found
  const named = at.parameter && segment !== '' ? walk(at.parameter, others, [...values, segment]) : undefined
  if (named !== undefined || at.rest === undefined) return named
  return { at: at.rest, values: [...values, segments.join('/')] }
}
