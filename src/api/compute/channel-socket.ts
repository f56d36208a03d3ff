import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { LINK_CHARS_MAX } from '#core/channel/link.ts'
import { Fault } from '#core/fault.ts'
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
  access: { credential: 'optional', reach: { to: 'channel', may: 'read' } },
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
    sig: Type.Optional(text(LINK_CHARS_MAX, { description: 'The signature of a link, in place of a key.' })),
  }),
  result: anything({ description: 'Text frames: hello, tick, gap, status, closed (protocols/wire/channel.md).' }),
  faults: ['NOT_FOUND', 'UNAUTHENTICATED', 'LINK_EXPIRED', 'SCOPE_REQUIRED', 'UPGRADE_REQUIRED', 'CAPACITY_EXCEEDED'],
  example: { channel: someChannel },
  handle({ channels, channelDoors }, { input: { channel, after, sig }, caller }) {
    const seen = after === undefined ? undefined : markOf(after)
    if (sig !== undefined) {
      const { it, stillOpens } = channelDoors.openedBy(channel, sig)
      return { ...channels.follow(it, { after: seen, sees: 'outputs' }), mayRead: stillOpens }
    }
    if (caller.kind === 'anonymous') {
      throw new Fault('UNAUTHENTICATED', 'Show a key, in the header or as a subprotocol, or a signed link.')
    }
    return channels.follow(channels.find(channel, caller, 'read'), { after: seen, sees: 'entries' })
  },
})
