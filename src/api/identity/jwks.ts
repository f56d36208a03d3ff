import { answer, endpoint } from '#api/endpoint.ts'
import { closed } from '#core/schema.ts'
import { jwkSet } from '#domain/identity/views.ts'

/** Seconds for which the keys may be cached. */
const CACHE_SECONDS = 300

export const readJwks = endpoint({
  id: 'identity.jwks',
  route: 'GET /api/.well-known/jwks.json',
  domain: 'identity-access',
  tier: 'computation',
  access: { credential: 'none' },
  summary: "The key by which a receiver verifies what this node's contracts notify it of, as a JWK set (RFC 7517).",
  input: closed({}),
  sends: ['Cache-Control'],
  result: jwkSet,
  faults: [],
  example: {},
  handle: ({ identity }) =>
    answer({ headers: { 'Cache-Control': `public, max-age=${CACHE_SECONDS}` }, body: { keys: [...identity.jwks()] } }),
})
