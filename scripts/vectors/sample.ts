import { utf8 } from '#core/bytes.ts'
import { eventsLogName, logName } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed, zidOf } from '#core/keys.ts'
import type { NodeReader } from '#core/merkle.ts'
import { compactRange } from '#core/merkle.ts'
import { closed, count, finite, series } from '#core/schema.ts'
import { sha256 } from '#crypto'

/** Keys of the vectors: public on purpose, made from words, good for nothing else. */
const seedOf = (word: string): Uint8Array => sha256(utf8(`tickmesh vectors: ${word}`))
/** Whoever a word names. */
export const partyOf = (word: string) => {
  const seed = seedOf(word)
  const publicKey = publicKeyOfSeed(seed)
  return { seed, publicKey, node: nodeIdOf(publicKey), zid: zidOf(publicKey) }
}

export const node = partyOf('node')
export const witness = partyOf('witness')
export const user = partyOf('user')

/** Genesis, mesh tick, of the node of the vectors. */
export const GENESIS = 2_310_000_000
export const sealLog = logName(node.node, GENESIS)
export const eventLog = eventsLogName(node.node, GENESIS)

/** Schemas of the made-up solver of the vectors: a field of the input's own size, and integers beside it. */
export const inputSchema = closed({ n: count(), steps: count(), kappa: finite() })
export const outputSchema = closed({
  peak: finite(),
  u: series({ unit: 'K', shape: ['n', 'n + 1'], description: 'Temperature, row-major.' }),
  hits: series({ unit: '1', shape: ['n'], type: 'i32', description: 'Visits per row.' }),
})

/** Reads complete subtrees of leaf hashes held in memory. */
export const treeOf = (leafHashes: readonly Uint8Array[]): NodeReader => {
  const nodes = new Map<string, Uint8Array>()
  const range = compactRange()
  for (const hash of leafHashes) {
    for (const done of range.append(hash)) nodes.set(`${done.level}/${done.index}`, done.hash)
  }
  return (level, index) => {
    const hash = nodes.get(`${level}/${index}`)
    if (hash === undefined) throw new RangeError(`no complete subtree ${level}/${index}`)
    return hash
  }
}
