import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { closed, count, hex64, nodeId, tick, zid } from '#core/schema.ts'
import { provenSuccessionSchema } from '#core/succession.ts'
import { type WitnessStatement, witnessStatementSchema } from '#core/witness-key.ts'

/** Seconds for which an identity may be cached. */
const CACHE_SECONDS = 60

const recipe =
  'Take the key from a source you trust, not from the receipt. The claim signature is Ed25519 over the purpose ' +
  '`tickmesh/claim/1`, a line feed and the RFC 8785 bytes of the claim; the leaf (`tickmesh/envelope/1`, line feed, ' +
  'RFC 8785 of {claim, signature}) is in the log by the C2SP tlog-proof; `vkeys.log` verifies its note.'

export const readIdentity = endpoint({
  id: 'identity.node',
  route: 'GET /api/identity',
  domain: 'identity-access',
  tier: 'computation',
  access: { credential: 'none' },
  summary: 'The public key that this node signs with, and the names and keys of its logs.',
  input: closed({}),
  result: Type.Object({
    ok: Type.Boolean(),
    protocol: Type.String(),
    alg: Type.String(),
    public_key: hex64({ description: 'Raw Ed25519 identity key.' }),
    node: nodeId(),
    zid: zid({ description: "The owner's ZID: that of the first identity key of this node." }),
    vkeys: Type.Object({
      log: Type.String({ description: 'Verifier key of the seal log, as `verify --key` takes it.' }),
      events: Type.String({ description: 'Verifier key of the event log.' }),
      witness: Type.String({ description: 'Verifier key of the witness: another key than the identity key.' }),
    }),
    witness_key: Type.Unsafe<WitnessStatement>({
      ...witnessStatementSchema,
      description: 'The word of the identity key that this witness key is its own.',
    }),
    genesisTick: count({ description: 'Mesh tick of the genesis.' }),
    genesis_ns: Type.String({ description: 'Unix nanoseconds of the genesis, in decimal.' }),
    tick: tick(),
    registry_version: Type.String({ description: '`sha256:` over the operator rows.' }),
    code: Type.Unknown({ description: 'Digests of what a replay must load.' }),
    key_supersessions: Type.Array(provenSuccessionSchema, {
      description: 'Keys that this one took the place of, oldest first, each with its proof.',
    }),
    verify: Type.Object({ recipe: Type.String(), script: Type.String() }),
  }),
  faults: [],
  example: {},
  handle({ identity, compute, witness }) {
    const { key_supersessions, vkeys, ...rest } = identity.describe()
    return answer({
      headers: { 'Cache-Control': `public, max-age=${CACHE_SECONDS}` },
      body: {
        ok: true,
        protocol: 'tickmesh/1',
        alg: 'ed25519',
        ...rest,
        vkeys: { ...vkeys },
        witness_key: witness.statement,
        registry_version: compute.registry.version,
        code: compute.code,
        key_supersessions: key_supersessions.map((it) => ({ ...it, path: [...it.path] })),
        verify: { recipe, script: `tickmesh verify FILE --key ${vkeys.log}` },
      },
    })
  },
})
