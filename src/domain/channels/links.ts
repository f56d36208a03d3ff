import { toHex } from '#core/bytes.ts'
import { channelLinkKey, isOfLinkKey, linkTicksOf, readChannelLink, signChannelLink } from '#core/channel/link.ts'
import { Fault } from '#core/fault.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'
import { randomBytes } from '#crypto'
import type { ChannelRow } from '#store/rows/channel.ts'
import type { StandingChannel } from './channel-store.ts'
import type { Channels, LatestOutput } from './service.ts'
import type { ChannelRequest } from './types.ts'

/** What links and sessions of channels stand on. */
export interface ChannelDoorPorts {
  readonly channels: Pick<Channels, 'find' | 'peek' | 'shownHead'>
  readonly store: { now(): { readonly meshTick: number } }
}

/** Bytes of the id of a link. */
const ID_BYTES = 8

/** How long a link is to open its channel: one of both, or neither. */
export interface LinkSpan {
  readonly ticks?: number | undefined
  readonly seconds?: number | undefined
}

/** A channel that a link opens. */
interface OpenedByLink {
  readonly it: StandingChannel
  /** Whether it does so now: its signature was looked at, so its end and the channel's salt say the rest. */
  readonly stillOpens: () => boolean
}

const spanOf = ({ ticks, seconds }: LinkSpan): number => {
  if (ticks !== undefined && seconds !== undefined) {
    const message = 'stands beside seconds: one of both says how long'
    throw new Fault('INVALID_INPUT', `/ticks: ${message}.`, { errors: [{ path: '/ticks', message }] })
  }
  return ticks ?? linkTicksOf(seconds ?? SECONDS_PER_DAY)
}

const altered = (): Fault =>
  new Fault('UNAUTHENTICATED', 'This link opens nothing: it was altered, or the links of its channel were changed.')

/** Creates what signs links to channels and opens channels by them. */
export const createChannelLinks = ({ channels, store }: ChannelDoorPorts, secret: Uint8Array) => {
  const keyOf = ({ id, link_salt: salt }: ChannelRow): Uint8Array => channelLinkKey(secret, { id, salt })

  /** The channel that a link opens. @throws Fault UNAUTHENTICATED, LINK_EXPIRED */
  const openedBy = (id: string, sig: string | undefined): OpenedByLink => {
    if (sig === undefined) throw new Fault('UNAUTHENTICATED', 'This is opened by a signed link: `sig` is missing.')
    const read = readChannelLink(sig)
    const it = channels.peek(id)
    if (read === undefined || it === undefined || read.link.c !== id) throw altered()
    if (!isOfLinkKey(keyOf(it.row), read)) throw altered()
    const { e } = read.link
    const hasExpired = (): boolean => e < store.now().meshTick
    if (hasExpired()) throw new Fault('LINK_EXPIRED', undefined, { expired_mesh_tick: e })
    const { link_salt: salt } = it.row
    const stillOpens = (): boolean => {
      const now = channels.peek(id)
      // Closing makes all links invalid, and its readers are to hear that it was closed: nothing else comes of it then.
      return (now?.row.link_salt === salt || now?.head.status === 'closed') && !hasExpired()
    }
    return { it, stillOpens }
  }

  return {
    openedBy,
    /**
     * Signs a link that shows the newest output of a channel to whoever has it, and opens nothing else.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, CHANNEL_CLOSED, INVALID_INPUT
     */
    link: (
      { caller, id }: ChannelRequest,
      span: LinkSpan,
    ): { readonly sig: string; readonly expires_mesh_tick: number } => {
      const { row, head } = channels.find(id, caller, 'tick')
      if (head.status === 'closed') throw new Fault('CHANNEL_CLOSED', 'A closed channel has no links.')
      const e = store.now().meshTick + spanOf(span)
      return { sig: signChannelLink(keyOf(row), { c: id, e, n: toHex(randomBytes(ID_BYTES)) }), expires_mesh_tick: e }
    },
    /** The newest output, for whoever has a link. @throws Fault UNAUTHENTICATED, LINK_EXPIRED, NOT_FOUND */
    pull: async (id: string, sig: string | undefined): Promise<LatestOutput> =>
      channels.shownHead(openedBy(id, sig).it.row),
  }
}
