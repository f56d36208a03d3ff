import cards from '#endpoints' with { type: 'json' }

/** What of an endpoint its caller needs; set-up takes it from the endpoint's literal. */
export interface EndpointCard {
  readonly id: string
  /** `POST /api/x/{id}` */
  readonly route: string
  readonly summary: string
  /** JSON Schema of an object. */
  readonly input: {
    readonly properties: Readonly<Record<string, object>>
    readonly required?: readonly string[]
  }
}

/** Every endpoint, as set-up wrote it down. */
export const endpointCards = cards as unknown as readonly EndpointCard[]

const byId: ReadonlyMap<string, EndpointCard> = new Map(endpointCards.map((it) => [it.id, it]))

/** The card of an endpoint, for what is derived from it: a call, a command, a form. */
export const endpointOf = (id: string): EndpointCard => {
  const found = byId.get(id)
  if (found === undefined) throw new TypeError(`no endpoint ${id}`)
  return found
}
