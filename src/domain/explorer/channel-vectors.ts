import { fromHex, toHex } from '#core/bytes.ts'
import { channelWalk } from '#core/channel/entries.ts'
import { frameContext, frameNonce, readFrame, secureInfo } from '#core/channel/frame.ts'
import { channelLinkKey, isOfLinkKey, readChannelLink, signChannelLink } from '#core/channel/link.ts'
import { channelStateDigest } from '#core/channel/state.ts'
import { digest } from '#core/digest.ts'
import { each, type Golden, same, type Vectors } from './vector.ts'

/** States of ticks, and walks along the entries of channels that hold or break. */
export const channel: Vectors = (it) => [
  ...each(it.digests, (row) => digest(row.purpose, row.value) === row.digest),
  ...each(it.ticks, ({ state, ...tick }) => channelStateDigest(tick) === state),
  ...each(it.walks, ({ entries, head, sealed, missed, breaks }) => {
    const walk = channelWalk()
    const at = entries.findIndex(({ type, body }: Golden) => walk.take(type, body) !== undefined)
    return breaks === null
      ? at < 0 && same([walk.head, walk.sealed, walk.missed], [head, sealed, missed])
      : at === breaks
  }),
]

const opens = (key: Uint8Array, sig: string): boolean => {
  const read = readChannelLink(sig)
  return read !== undefined && isOfLinkKey(key, read)
}

/** Signed links, signatures that open nothing, and what frames are encrypted with. */
export const channelLink: Vectors = (it) => {
  const keyOf = ({ secret, channel: id, salt }: Golden) => channelLinkKey(fromHex(secret), { id, salt })
  return [
    ...each(it.links, (row) => {
      const own = keyOf(row)
      return toHex(own) === row.key && signChannelLink(own, row.link) === row.sig && opens(own, row.sig)
    }),
    ...each(it.refused, ({ sig }) => !opens(keyOf(it.links[0]), sig)),
    ...each(it.frames, ({ channel: id, session, public_key, counter, info, nonce, aad, frame }) => {
      const context = toHex(frameContext({ channel: id, session }, counter))
      const isBound = toHex(secureInfo({ channel: id, session, public_key })) === info && context === aad
      return isBound && toHex(frameNonce(counter)) === nonce && readFrame(fromHex(frame))?.counter === counter
    }),
  ]
}
