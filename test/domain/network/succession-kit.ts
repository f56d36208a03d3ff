import { toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { type MeshEvent, signEvent, type UnsignedEvent } from '#core/events.ts'
import { eventsLogName, logName } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed, signValue } from '#core/keys.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { type ProvenSuccession, type Succession, successionLeaf } from '#core/succession.ts'
import { frameOf } from '#domain/network/frame.ts'
import { createRecorder } from '#domain/network/recorder.ts'
import type { MessageOutcome } from '#domain/network/types.ts'
import { treeOf } from '../../../scripts/vectors/sample.ts'
import type { Random } from '../../kit/random.ts'
import { openHouse } from '../house.ts'
import { body, party } from './party.ts'

/** Genesis of the logs that end. */
export const GENESIS = 2_309_000_000

/** A key of a node. */
export const keyOf = (random: Random) => {
  const seed = random.bytes(32)
  const publicKey = publicKeyOfSeed(seed)
  return { seed, publicKey, node: nodeIdOf(publicKey) }
}
export type Key = ReturnType<typeof keyOf>

/** A seal log of some leaves, passed on from one key to another. */
export const passOn = (from: Key, to: Key, size = 3): ProvenSuccession => {
  const origin = logName(from.node, GENESIS)
  const hashes = Array.from({ length: size }, (_, i) => leafHash(utf8(`leaf ${i}`)))
  const root = toHex(rootFrom(treeOf(hashes), size))
  const succession: Succession = {
    ...{ old_node: from.node, new_node: to.node, origin, size, root },
    ...{ reason: 'test', mesh_tick: GENESIS + 9 },
  }
  const tree = treeOf([...hashes, leafHash(successionLeaf(succession))])
  const head = { origin, size: size + 1, root: rootFrom(tree, size + 1) }
  const sign = ({ seed }: Key): string => signValue(seed, purposes.succession, succession as unknown as Json)
  return {
    succession,
    ...{ old_signature: sign(from), new_signature: sign(to) },
    note: signCheckpoint(head, from.publicKey, from.seed),
    path: inclusionProof(tree, size, size + 1).map(toHex),
  }
}

/** Events of the old key's event log. */
export const EVENTS = 5
/** The payload of the event that tells of a succession. */
export const payloadOf = (from: Key, proven: ProvenSuccession, events = EVENTS): Json =>
  ({ ...proven, events: { origin: eventsLogName(from.node, GENESIS), size: events, root: '0'.repeat(64) } }) as never

/** An event; of a succession unless said. */
export const eventOf = (by: Key, payload: Json, more: Partial<UnsignedEvent>): MeshEvent =>
  signEvent(by.seed, { v: 1, type: 'succession', sourceNodeId: by.node, seq: 0, tick: 0, payload, ...more })

/** A network with a store, that hears what it is given over libp2p. */
export const listener = async (random: Random, directory: string) => {
  const house = await openHouse(directory)
  const recorder = createRecorder(house.store, house.keys.signer)
  const it = party(random, { secrets: [], keeping: { store: house.store, recorder } })
  const hear = (event: MeshEvent): MessageOutcome =>
    it.network.receive(frameOf(body(event), undefined), { kind: 'libp2p', channel: 'event', from: event.sourceNodeId })
  /** Everything that was heard before this is on disk. */
  const settled = (): Promise<void> => house.store.commit(() => undefined)
  return { ...it, house, hear, settled, store: house.store, [Symbol.asyncDispose]: house[Symbol.asyncDispose] }
}
