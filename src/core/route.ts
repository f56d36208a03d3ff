import { assert } from './assert.ts'

/**
 * A route of the interface, `POST /api/x/{id}`, and the rule by which an input goes into a call of it. A last part
 * `{name...}` takes the rest of the path, slashes and all, as it is spelled: `GET /log/{log}/tile/{tile...}`.
 */

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const PARAMETER = /\{(\w+)(\.{3})?\}/g

/** A path as OpenAPI writes it, which has no word for a part that takes the rest. */
export const templateOf = (path: string): string => path.replace('...}', '}')

/** `POST /api/x/{id}` taken apart. */
export const splitRoute = (route: string): { method: Method; path: string; names: string[] } => {
  const [method, path] = route.split(' ')
  assert(method !== undefined && path?.startsWith('/') === true, `route ${route}`)
  const names = [...path.matchAll(PARAMETER)].map(([, name]) => name ?? '')
  return { method: method as Method, path, names }
}

/** A call as it goes out. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** What makes calls of one route, which is taken apart once: path, query and body of an input, by the one rule. */
export const callsOfRoute = (route: string): ((input: Readonly<Record<string, unknown>>) => Outgoing) => {
  const { method, path, names } = splitRoute(route)
  const takesBody = method !== 'GET' && method !== 'DELETE'
  return (input) => {
    const spelled = (name: string, rest: string | undefined): string =>
      rest === undefined ? encodeURIComponent(String(input[name])) : String(input[name])
    const filled = path.replace(PARAMETER, (_, name: string, rest?: string) => spelled(name, rest))
    const rest = Object.entries(input).filter(([name, value]) => !names.includes(name) && value !== undefined)
    if (takesBody) return { method, path: filled, body: Object.fromEntries(rest) }
    if (rest.length === 0) return { method, path: filled, body: undefined }
    const query = new URLSearchParams()
    for (const [name, value] of rest) {
      for (const part of Array.isArray(value) ? value : [value]) query.append(name, String(part))
    }
    return { method, path: query.size > 0 ? `${filled}?${query}` : filled, body: undefined }
  }
}

/** A call of a route. */
export const outgoing = (route: string, input: Readonly<Record<string, unknown>>): Outgoing =>
  callsOfRoute(route)(input)
