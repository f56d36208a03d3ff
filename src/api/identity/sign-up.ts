import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { closed, credits, meshTick, oneOf, publicKey, signature, text, zid } from '#core/schema.ts'

const noStore = { 'Cache-Control': 'no-store' } as const
const TEXT_CHARS_MAX = 1_024

export const signUp = endpoint({
  id: 'identity.sign-up',
  route: 'POST /api/auth/sign-up',
  domain: 'identity-access',
  tier: 'computation',
  auth: 'none',
  summary:
    'A new account with 1,287 free credits and an API key, shown once. Without a key of yours the node keeps one.',
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
  result: Type.Object({
    ok: Type.Boolean(),
    zid: zid(),
    custody: oneOf(['node', 'self'], { description: 'Who keeps the key of the ZID.' }),
    public_key: publicKey(),
    api_key: Type.String({ description: 'Shown only here.' }),
    key_id: Type.String(),
    credits: credits({ description: 'Free credits given; 0 when the account existed.' }),
  }),
  faults: [
    'BAD_SIGNATURE',
    'BAD_PUBLIC_KEY',
    'RATE_LIMITED',
    'CLOCK_BEHIND',
    'LOG_ROLLED_BACK',
    'LOG_UNCONFIRMED',
    'NODE_BUSY',
  ],
  example: {},
  async handle({ identity }, { input, caller }) {
    const made = await identity.signUp({
      publicKey: input.public_key,
      signature: input.signature,
      meshTick: input.mesh_tick,
      bucket: caller.bucket,
      work: input.work,
    })
    return answer({ status: 201, headers: noStore, body: { ok: true, ...made } })
  },
})
