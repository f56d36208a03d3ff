import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { LINK_CHARS_MAX, LINK_SECONDS_MAX, LINK_TICKS_MAX } from '#core/channel/link.ts'
import { anything, closed, hex64, integer, meshTick, orNull, text } from '#core/schema.ts'
import { fillingTypes } from '#core/template/place.ts'
import { outputHeaders } from '#domain/channels/views.ts'
import { sealHeaders, sealing } from './answer.ts'
import { channelId, someChannel } from './channels.ts'

/** Ways into a channel without its key: signed links, and sessions whose frames are encrypted. */
const common = { domain: 'compute', tier: 'computation' } as const

const PULL = '/api/svc/streams/{id}/pull'

/** Of what a link gives nothing is kept on its way, and the address it came by is told to nobody. */
const pulled = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const

/** A page of any origin may frame it or show it as a picture: its own policy holds what it may do there. */
const framed = { 'X-Frame-Options': 'ALLOWALL', 'Cross-Origin-Resource-Policy': 'cross-origin' } as const

const link = endpoint({
  ...common,
  id: 'compute.stream-link',
  route: 'POST /api/svc/streams/{id}/link',
  also: ['POST /stream/channels/{id}/link'],
  access: { credential: 'bearer', reach: { to: 'channel', may: 'tick' } },
  summary:
    'Signs a link that shows the newest output to whoever has it, for a day unless asked. Closing ends all links.',
  audit: { event: 'stream_linked', input: ['id'], result: ['expires_mesh_tick'] },
  input: closed({
    id: channelId(),
    ticks: Type.Optional(
      integer({
        minimum: 1,
        maximum: LINK_TICKS_MAX,
        description: 'Mesh ticks that it opens the channel; or seconds.',
      }),
    ),
    seconds: Type.Optional(
      integer({ minimum: 1, maximum: LINK_SECONDS_MAX, description: 'Seconds that it opens the channel; or ticks.' }),
    ),
  }),
  result: answered(
    Type.Object({
      sig: Type.String({ description: 'The signature: whoever has it may pull.' }),
      path: Type.String({ description: 'Path and query to pull by.' }),
      expires_mesh_tick: meshTick({ description: 'The last mesh tick at which it opens the channel.' }),
    }),
  ),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED', 'CHANNEL_CLOSED'],
  example: { id: someChannel, seconds: 3_600 },
  handle({ channelDoors }, { input: { id, ...span }, caller }) {
    const { sig, expires_mesh_tick } = channelDoors.link({ caller, id }, span)
    return { sig, path: `${PULL.replace('{id}', id)}?sig=${sig}`, expires_mesh_tick }
  },
})

const pull = endpoint({
  ...common,
  id: 'compute.stream-pull',
  route: `GET ${PULL}`,
  also: ['GET /stream/channels/{id}/pull'],
  access: { credential: 'signed-link' },
  sends: [...sealing.sends, 'Content-Security-Policy'],
  produces: fillingTypes.filter((it) => it !== 'application/json'),
  summary: 'The newest output of a channel, by a signed link and without a key.',
  input: closed({
    id: channelId(),
    sig: Type.Optional(text(LINK_CHARS_MAX, { description: 'The signature of the link.' })),
  }),
  result: anything({ description: 'As `latest`: the newest tick, or what the template makes of it.' }),
  faults: ['UNAUTHENTICATED', 'LINK_EXPIRED', 'NOT_FOUND'],
  example: { id: someChannel },
  async handle({ channelDoors }, { input: { id, sig } }) {
    const { text: body, contentType, sealed } = await channelDoors.pull(id, sig)
    const headers = { ...outputHeaders, ...pulled, ...framed, ...sealHeaders(sealed) }
    return answer<never>({ body, type: `${contentType}; charset=utf-8`, headers })
  },
})

const open = endpoint({
  ...common,
  id: 'compute.stream-secure-open',
  route: 'POST /api/svc/streams/{id}/secure/open',
  also: ['POST /stream/channels/{id}/secure/open'],
  access: { credential: 'bearer', reach: { to: 'channel', may: 'tick' } },
  keyed: true,
  summary: 'A session in which envelopes are pulled encrypted (HPKE, AES-256-GCM), signed by the node’s identity key.',
  audit: { event: 'stream_secured', input: ['id'] },
  input: closed({
    id: channelId(),
    public_key: Type.Optional(
      hex64({ description: 'X25519 key of the receiver. Without one the secret is made of the API key presented.' }),
    ),
  }),
  result: answered(
    Type.Object({
      channel: Type.String(),
      session: hex64({ description: 'Id of the session: pulls name it.' }),
      public_key: orNull(hex64()),
      enc: orNull(hex64(), { description: 'What HPKE encapsulated for the receiver; null without a public key.' }),
      expires_tick: meshTick({ description: 'The mesh tick at which it is over unless it is used before.' }),
      signature: Type.String({ description: 'Over `tickmesh/secure/1` and the members above, by the identity key.' }),
    }),
  ),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED', 'CHANNEL_CLOSED', 'PUBLIC_KEY_REQUIRED', 'CAPACITY_EXCEEDED'],
  example: { id: someChannel },
  handle({ channelDoors }, { input: { id, public_key: publicKey }, caller, bearer }) {
    return channelDoors.openSecure({ caller, id }, { publicKey, bearer })
  },
})

const securePull = endpoint({
  ...common,
  id: 'compute.stream-secure-pull',
  route: 'GET /api/svc/streams/{id}/secure/pull',
  also: ['GET /stream/channels/{id}/secure/pull'],
  access: { credential: 'stream-session' },
  ...sealing,
  summary: 'A frame whose plaintext is the newest sealed envelope: protocols/wire/channel-links.md.',
  input: closed({
    id: channelId(),
    session: Type.Optional(text(LINK_CHARS_MAX, { description: 'Id of the session.' })),
  }),
  result: anything({ description: 'The frame: 0x01, counter, ciphertext, tag.' }),
  produces: ['application/octet-stream'],
  faults: ['UNAUTHENTICATED', 'GONE', 'NOT_FOUND'],
  example: { id: someChannel },
  async handle({ channelDoors }, { input: { id, session } }) {
    const { bytes: body, sealed } = await channelDoors.pullSecure(id, session)
    return answer<never>({ body, type: 'application/octet-stream', headers: { ...pulled, ...sealHeaders(sealed) } })
  },
})

export const channelDoorEndpoints = [link, pull, open, securePull] as const
