import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, meshTick, publicKey, signature, text } from '#core/schema.ts'
import { signedUp } from '#domain/identity/views.ts'

const TEXT_CHARS_MAX = 1_024

export const signUp = endpoint({
  id: 'identity.sign-up',
  route: 'POST /api/auth/sign-up',
  domain: 'identity-access',
  tier: 'computation',
  access: { credential: 'none' },
  idempotent: true,
  summary:
    'A new account with 1,287 free credits and an API key, shown once. Without a key of yours the node keeps one.',
  audit: { event: 'account_created', result: ['zid', 'custody', 'key_id'] },
  input: closed({
    public_key: Type.Optional(publicKey()),
    signature: Type.Optional(
      signature({ description: 'Over (`tickmesh/sign-up/1`, {node, public_key, mesh_tick}) by that key.' }),
    ),
    mesh_tick: Type.Optional(meshTick({ description: 'The mesh tick that was signed, at most 120 from now.' })),
    work: Type.Optional(
      closed(
        {
          challenge: text(TEXT_CHARS_MAX, { description: 'As the refusal gave it.' }),
          nonce: text(19, { description: 'Whole number in decimal digits.' }),
        },
        { description: 'Proof of work, from the fourth sign-up of an address and hour on.' },
      ),
    ),
  }),
  result: answered(signedUp),
  status: 201,
  faults: ['BAD_SIGNATURE', 'BAD_PUBLIC_KEY', 'RATE_LIMITED', ...codesOf('commit'), 'NODE_BUSY'],
  example: {},
  async handle({ identity }, { input, caller, once }) {
    const { public_key: publicKey, signature: signed, mesh_tick: tick, work } = input
    const order = { publicKey, signature: signed, meshTick: tick, bucket: caller.bucket, work }
    return await once((repeat) => identity.signUp(order, repeat))
  },
})
