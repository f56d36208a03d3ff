import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'

const byId: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((it) => [it.id, it as unknown as Endpoint]))

/** The literal of an endpoint, for what is derived from it outside this layer: a command, a form. */
export const endpointOf = (id: string): Endpoint => {
  const found = byId.get(id)
  if (found === undefined) throw new TypeError(`no endpoint ${id}`)
  return found
}
