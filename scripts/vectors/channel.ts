import { type ChannelTickBody, STREAM_GAP, STREAM_TICK } from '#core/channel/entries.ts'
import { type ChannelTick, channelStateDigest } from '#core/channel/state.ts'
import { digest } from '#core/digest.ts'
import { ofChannels } from './core.ts'

const CHANNEL = '00112233445566778899aabbccddeeff'
const hex = (digit: string): string => digit.repeat(64)

const tickAfter = (before: ChannelTickBody | undefined, epoch: number): ChannelTickBody => {
  const goesOn = before !== undefined && before.epoch === epoch
  const place: ChannelTick = {
    ...{ channel: CHANNEL, epoch, count: goesOn ? before.count + 1 : 1, previous: goesOn ? before.state : null },
    ...{ inputs_digest: hex('1'), result_digest: hex('2') },
  }
  const said = { value: 2953.3, unit: 'm', errorPct: 1e-13, token_id: '0123456789abcdef0123456789abcdef' }
  return { ...place, state: channelStateDigest(place), ...said }
}

const one = tickAfter(undefined, 1)
const two = tickAfter(one, 1)
const three = tickAfter(two, 2)
const gap = { channel: CHANNEL, epoch: 1, from_mesh: 1_000, to_mesh: 1_006, missed: 3, reason: 'late' }

const entry = (type: string, body: object) => ({ type, body })
const ticks = (...all: readonly ChannelTickBody[]) => all.map((it) => entry(STREAM_TICK, it))
const broken = (entries: readonly object[], breaks: number) => ({
  entries,
  head: null,
  sealed: null,
  missed: null,
  breaks,
})

/** States of ticks, and chains of entries that hold or break. */
export const channelVectors = () => ({
  about:
    'States of sealed ticks; entries of a channel in the order of their chain, with what they come to (head, ticks of ' +
    'all epochs, due ticks missed) or the index of the first that does not follow: wire/channel.md.',
  digests: ofChannels.map((purpose) => {
    const value = { purpose, n: 1 }
    return { purpose, value, digest: digest(purpose, value) }
  }),
  ticks: [one, two, three].map(({ channel, epoch, count, previous, inputs_digest, result_digest, state }) => ({
    ...{ channel, epoch, count, previous, inputs_digest, result_digest, state },
  })),
  walks: [
    {
      entries: [...ticks(one), entry(STREAM_GAP, gap), ...ticks(two, three)],
      head: { epoch: 2, count: 1, state: three.state },
      ...{ sealed: 3, missed: 3, breaks: null },
    },
    broken(ticks(one, one), 1),
    broken(ticks(two), 0),
    broken(ticks(one, three, two), 2),
    broken(ticks(one, { ...two, previous: null }), 1),
    broken(ticks(one, { ...two, result_digest: hex('3') }), 1),
    broken([entry(STREAM_GAP, { ...gap, reason: 'asleep' })], 0),
  ],
})
