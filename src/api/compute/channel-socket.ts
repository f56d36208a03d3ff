import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { anything, closed, text } from '#core/schema.ts'
import { channelId, someChannel } from './channels.ts'

const MARK = '^(0|[1-9][0-9]{0,15})\\.(0|[1-9][0-9]{0,15})$'
const MARK_CHARS_MAX = 33

/** The tick that a reader has seen. */
const markOf = (after: string) => {
  const [epoch = 0, count = 0] = after.split('.').map(Number)
  return { epoch, count }
}

/** A WebSocket over a channel: each sealed tick as it comes, and what a reader who comes back has missed. */
export const channelSocket = endpoint({
  id: 'compute.stream-socket',
  route: 'GET /ws/stream',
  domain: 'compute',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'channel', may: 'read' } },
  socket: true,
  summary:
    'A WebSocket: each sealed tick of a channel as it comes. In a browser a key is named among the subprotocols, as ' +
    '`svc.key.<key>`; it never stands in the address.',
  input: closed({
    channel: channelId(),
    after: Type.Optional(
      text(MARK_CHARS_MAX, {
        pattern: MARK,
        description: 'The last tick seen, `<epoch>.<count>`: what came since is given first, without its outputs.',
      }),
    ),
  }),
  result: anything({ description: 'Text frames: hello, tick, gap, status, closed (protocols/wire/channel.md).' }),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED', 'UPGRADE_REQUIRED', 'CAPACITY_EXCEEDED'],
  example: { channel: someChannel },
  handle: ({ channels }, { input: { channel, after }, caller }) =>
    channels.follow(channels.find(channel, caller, 'read'), after === undefined ? undefined : markOf(after)),
})
