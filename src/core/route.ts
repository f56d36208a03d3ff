import { assert } from './assert.ts'

/** A route of the interface, `POST /api/x/{id}`, and the rule by which an input goes into a call of it. */

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `POST /api/x/{id}` taken apart. */
export const splitRoute = (route: string): { method: Method; path: string; names: string[] } => {
  const [method, path] = route.split(' ')
  assert(method !== undefined && path?.startsWith('/') === true, `route ${route}`)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return { method: method as Method, path, names }
}

/** A call as it goes out. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Path, query and body of an input, by the one rule: path parameters, then query or body. */
export const outgoing = (route: string, input: Readonly<Record<string, unknown>>): Outgoing => {
  const { method, path, names } = splitRoute(route)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name, value]) => !names.includes(name) && value !== undefined)
  if (method !== 'GET' && method !== 'DELETE') return { method, path: filled, body: Object.fromEntries(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of rest) {
    for (const part of Array.isArray(value) ? value : [value]) query.append(name, String(part))
  }
  return { method, path: query.size > 0 ? `${filled}?${query}` : filled, body: undefined }
}
