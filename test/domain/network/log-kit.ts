import { addCheckpointBody } from '#core/add-checkpoint.ts'
import { utf8 } from '#core/bytes.ts'
import { checkpointText, signCheckpoint } from '#core/checkpoint.ts'
import { logName } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { consistencyProof, leafHash, type NodeReader, rootOf } from '#core/merkle.ts'
import type { Random } from '../../kit/random.ts'

const GENESIS = 2_309_999_000

/** Reads any complete subtree of leaves held in memory. */
const readerOf =
  (hashes: readonly Uint8Array[]): NodeReader =>
  (level, index) =>
    rootOf(hashes.slice(index * 2 ** level, (index + 1) * 2 ** level))

/** A log in memory with a key of its own: what a witness is pushed, made without the witness's code. */
export interface ToyLog {
  readonly seed: Uint8Array
  readonly node: string
  readonly origin: string
  /** Leaves are texts; the log grows by this many. */
  grow(leaves: number): void
  readonly size: number
  note(size?: number): string
  root(size?: number): Uint8Array
  proof(from: number, to?: number): readonly Uint8Array[]
  /** The add-checkpoint body for its newest size. */
  push(from: number): Uint8Array
  /** Another log with the same key and the first leaves of this one: what an equivocating node shows to others. */
  fork(at: number): ToyLog
}

const toyLog = (seed: Uint8Array, leaves: readonly Uint8Array[], salt: string): ToyLog => {
  const hashes = [...leaves]
  const publicKey = publicKeyOfSeed(seed)
  const node = nodeIdOf(publicKey)
  const origin = logName(node, GENESIS)
  const root = (size = hashes.length): Uint8Array => rootOf(hashes.slice(0, size))
  const note = (size = hashes.length): string => signCheckpoint({ origin, size, root: root(size) }, publicKey, seed)
  const proof = (from: number, to = hashes.length): readonly Uint8Array[] =>
    consistencyProof(readerOf(hashes), from, to)
  return {
    seed,
    node,
    origin,
    get size() {
      return hashes.length
    },
    grow: (more) => {
      for (let i = 0; i < more; i++) hashes.push(leafHash(utf8(`${salt} ${hashes.length}`)))
    },
    note,
    root,
    proof,
    push: (from) => utf8(addCheckpointBody(from, proof(from), note())),
    fork: (at) => toyLog(seed, hashes.slice(0, at), `${salt} forked`),
  }
}

/** A log with `size` leaves. @param seed of the key that signs it; one of its own unless given. */
export const makeLog = (random: Random, size = 0, seed: Uint8Array = random.bytes(32)): ToyLog => {
  const log = toyLog(seed, [], `log ${random.integer(0, 1e9)}`)
  log.grow(size)
  return log
}

/** The text that a checkpoint of a log signs. */
export const textOf = (log: ToyLog, size = log.size): string =>
  checkpointText({ origin: log.origin, size, root: log.root(size) })
