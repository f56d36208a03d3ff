import { toHex } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { tickLeaf } from '#core/envelope.ts'
import { eventId, eventLeaf, signEvent } from '#core/events.ts'
import { signValue } from '#core/keys.ts'
import { consistencyProof, leafHash, rootFrom } from '#core/merkle.ts'
import { ackFrame, askFrame, helloFrame, rangeFrame } from '#domain/network/sync/frames.ts'
import { eventLog, GENESIS, node, treeOf, user } from './sample.ts'

const TICK = 1_290

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const header = { v: 1, sourceNodeId: node.node, tick: GENESIS + TICK } as const
const signed = { node: node.node, public_key: toHex(user.publicKey), mesh_tick: GENESIS + TICK }
const assertion = { ...signed, signature: signValue(user.seed, purposes.signUp, signed) }

/** Three events, of which one is of a type that no reader need know, between them and at the end a tick leaf. */
const events = [
  signEvent(node.seed, { ...header, type: 'identity.assert', seq: 0, payload: assertion }),
  signEvent(node.seed, { ...header, type: 'work', seq: 1, payload: { job: 'a job of tomorrow' } }),
  signEvent(node.seed, { ...header, type: 'resolve', seq: 3, payload: null }),
]
const [first, second, third] = events.map(eventLeaf) as [Uint8Array, Uint8Array, Uint8Array]
const leaves = [first, second, tickLeaf(TICK), third, tickLeaf(TICK + 1)]
const tree = treeOf(leaves.map(leafHash))
const rootAt = (size: number): Uint8Array => rootFrom(tree, size)
const noteAt = (size: number): string =>
  signCheckpoint({ origin: eventLog, size, root: rootAt(size) }, node.publicKey, node.seed)

/** Golden values of lasting events, as leaves of an event log, and of the frames that carry them. */
export const syncVectors = () => ({
  about:
    'An event log of five leaves and its two notes; the frames of a sync in which the first two leaves come alone.',
  seed: toHex(node.seed),
  origin: eventLog,
  events: events.map((event, i) => ({
    event,
    leaf: toHex([first, second, third][i] as Uint8Array),
    id: eventId(event),
  })),
  leaves: leaves.map((data) => ({ data: toHex(data), hash: toHex(leafHash(data)) })),
  notes: [3, 5].map((size) => ({ size, root: toHex(rootAt(size)), note: noteAt(size) })),
  hello: text(
    helloFrame({ v: 1, node: node.node, mesh_tick: GENESIS + TICK + 2, logs: { [eventLog]: [0, noteAt(5)] } }),
  ),
  ask: text(askFrame([[eventLog, 0, 5]])),
  ranges: [
    { from: 0, to: 2 },
    { from: 2, to: 5 },
  ].map(({ from, to }) => ({
    from,
    to,
    frame: toHex(
      rangeFrame({ ask: 0, from, leaves: leaves.slice(from, to), path: consistencyProof(tree, to, 5), before: [] }),
    ),
  })),
  continued: {
    about: 'The first piece for one who holds three leaves: it shows the root there and how the note continues it.',
    ask: text(askFrame([[eventLog, 3, 5]])),
    frame: toHex(
      rangeFrame({
        ask: 0,
        from: 3,
        leaves: leaves.slice(3),
        path: [],
        before: [rootAt(3), ...consistencyProof(tree, 3, 5)],
      }),
    ),
  },
  ack: toHex(ackFrame(2)),
})
