import { toHex } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import {
  type Entry,
  entryHash,
  entryLeaf,
  genesisHash,
  headDigest,
  headLeaf,
  machineIdHash,
  transitionIdOf,
} from '#core/machine.ts'
import { inclusionProof, leafHash, rootFrom, rootOf } from '#core/merkle.ts'
import { node, sealLog, treeOf, user } from './sample.ts'

const slug = 'pump-7'
const genesis = {
  slug,
  owner: user.zid,
  node: node.node,
  genesis_tick: 1_287,
  nonce: '000102030405060708090a0b0c0d0e0f',
}
const said: readonly Pick<Entry, 'tick' | 'type' | 'body'>[] = [
  { tick: 1_287, type: 'created', body: { is_public: true, source: 'owner' } },
  { tick: 1_290, type: 'event', body: { event: 'reading', payload_hash: 'ab'.repeat(32), source: 'key:write' } },
  { tick: 1_290, type: 'state', body: { state_hash: 'cd'.repeat(32), source: 'operator' } },
]

const chain = () => {
  let previous = genesisHash(genesis)
  return said.map(({ tick, type, body }, seq) => {
    const entry: Entry = { seq, previous, tick, type, body }
    previous = entryHash(entry)
    return {
      entry,
      hash: previous,
      leaf_hash: toHex(leafHash(entryLeaf(entry))),
      transition_id: transitionIdOf(previous),
    }
  })
}

/** A machine of three entries, its head in the node's log, and the proof of the second one. */
export const machineVectors = () => {
  const genesis_hash = genesisHash(genesis)
  const id_hash = machineIdHash(slug, genesis_hash)
  const links = chain()
  const own = links.map(({ entry }) => leafHash(entryLeaf(entry)))
  const seq = links.length - 1
  const root = toHex(rootFrom(treeOf(own), own.length))
  const head = { id_hash, seq, hash: links[seq]?.hash ?? '', size: own.length, root }
  const log = [leafHash(Uint8Array.of(0)), leafHash(headLeaf(head)), leafHash(Uint8Array.of(1))]
  return {
    about:
      'A machine: its genesis, its chain, its head as a leaf of the log of the node (leaf data in hex), and the ' +
      'proof of its second entry. The other leaves of that log are one byte each, 00 and 01.',
    genesis,
    genesis_hash,
    id_hash,
    chain: links,
    head,
    head_leaf: toHex(headLeaf(head)),
    head_digest: headDigest(head),
    log: { origin: sealLog, public_key: toHex(node.publicKey) },
    proof: {
      head,
      path: inclusionProof(treeOf(own), 1, own.length).map(toHex),
      head_index: 1,
      head_path: inclusionProof(treeOf(log), 1, log.length).map(toHex),
      checkpoint: signCheckpoint({ origin: sealLog, size: log.length, root: rootOf(log) }, node.publicKey, node.seed),
    },
  }
}
