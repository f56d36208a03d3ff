import type { Endpoint } from '#api/endpoint.ts'

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array) && !Array.isArray(value)

const saysOk = ({ result }: Endpoint): boolean => {
  const { properties } = result as { readonly properties?: object }
  return properties !== undefined && 'ok' in properties
}

/** The body of an answer with `ok: true` in front, where the result has it and the handler left it to the gateway. */
export const completed = (endpoint: Endpoint, body: unknown): unknown =>
  isObject(body) && !('ok' in body) && saysOk(endpoint) ? { ok: true, ...body } : body
