import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { closed, zid } from '#core/schema.ts'
import { type WitnessStatement, witnessStatementSchema } from '#core/witness-key.ts'
import { nodeDescription, zidPlace } from '#domain/identity/views.ts'

/** Seconds for which an identity may be cached. */
const CACHE_SECONDS = 60

const recipe =
  'Take the key from a source you trust, not from the receipt. The claim signature is Ed25519 over the purpose ' +
  '`tickmesh/claim/1` (`tickmesh/claim/2` where its `v` is 2), a line feed and the RFC 8785 bytes of the claim; the ' +
  'leaf (`tickmesh/envelope/1`, line feed, ' +
  'RFC 8785 of {claim, signature}) is in the log by the C2SP tlog-proof; `vkeys.log` verifies its note.'

const { key_supersessions, genesisTick, genesis_ns, tick, ...keys } = nodeDescription.properties
const clock = { genesisTick, genesis_ns, tick }

export const readIdentity = endpoint({
  id: 'identity.node',
  route: 'GET /api/identity',
  domain: 'identity-access',
  tier: 'computation',
  access: { credential: 'none' },
  summary: 'The public key that this node signs with, and the names and keys of its logs.',
  input: closed({
    zid: Type.Optional(zid({ description: 'Also says at which node this ZID is at home, as far as it is known.' })),
  }),
  sends: ['Cache-Control'],
  result: answered(
    Type.Object({
      protocol: Type.String(),
      alg: Type.String(),
      ...keys,
      witness_key: Type.Unsafe<WitnessStatement>({
        ...witnessStatementSchema,
        description: 'The word of the identity key that this witness key is its own.',
      }),
      ...clock,
      registry_version: Type.String({ description: '`sha256:` over the operator rows.' }),
      code: Type.Unknown({ description: 'Digests of what a replay must load.' }),
      key_supersessions,
      place: Type.Optional(zidPlace),
      verify: Type.Object({ recipe: Type.String(), script: Type.String() }),
    }),
  ),
  faults: [],
  example: {},
  handle({ identity, compute, witness }, { input: { zid: asked } }) {
    const described = identity.describe()
    return answer({
      // Where a ZID is at home may be news at any time; the node stays what it is.
      headers: { 'Cache-Control': asked === undefined ? `public, max-age=${CACHE_SECONDS}` : 'no-store' },
      body: {
        protocol: 'tickmesh/1',
        alg: 'ed25519',
        ...described,
        witness_key: witness.statement,
        registry_version: compute.registry.version,
        code: compute.code,
        ...(asked !== undefined && { place: identity.placeOf(asked) }),
        verify: { recipe, script: `tickmesh verify FILE --key ${described.vkeys.log}` },
      },
    })
  },
})
