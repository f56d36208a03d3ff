import { equalBytes, fromUtf8, toHex } from '#core/bytes.ts'
import type { Checkpoint } from '#core/checkpoint.ts'
import { tokenIdOf } from '#core/ids.ts'
import { inclusionProof, inclusionSteps, leafHash, nodeHash, rangeRoot, verifyInclusion } from '#core/merkle.ts'
import { entriesOf, TILE_WIDTH, tileAt, tilePath } from '#core/tiles.ts'
import type { VerificationStep, VerificationView } from '#ui/part/verdict.tsx'
import { makeFromTiles, readCheckpoint, readTile, type TileReading, tilesFor } from './tiles.ts'
import { type OpenedHead, openPinned, type Pinned } from './trust.ts'

/** A hash beside the way up, and what comes of it and the one before. */
export interface DrawnStep {
  readonly side: 'left' | 'right'
  /** The leaves `from` to `to`, exclusive, that it is the root of. */
  readonly from: number
  readonly to: number
  readonly hash: string
  /** Where it came from: paths of tiles. */
  readonly tiles: readonly string[]
  /** The node above both. */
  readonly gives: string
}

/** What was found of a leaf. */
export interface LeafCheck {
  readonly found: VerificationView
  readonly leaf: string
  readonly checkpoint: Checkpoint | undefined
  readonly path: readonly DrawnStep[]
  /** The event that the leaf of an event log holds. */
  readonly entry: string | undefined
}

interface Asked {
  readonly reading: TileReading
  readonly pinned: Pinned
  readonly index: number
  /** What the node says of the leaf. */
  readonly hash: string
  readonly token: string | null
}

const ok = (step: string, detail: string): VerificationStep => ({ step, state: 'ok', detail })
const failed = (step: string, detail: string): VerificationStep => ({ step, state: 'failed', detail })
const skipped = (step: string, detail: string): VerificationStep => ({ step, state: 'skipped', detail })
const judged = (holds: boolean, step: string, words: readonly [good: string, bad: string]): VerificationStep =>
  holds ? ok(step, words[0]) : failed(step, words[1])

const viewOf = (steps: readonly VerificationStep[]): VerificationView => {
  const failing = steps.find(({ state }) => state === 'failed')?.step
  return failing === undefined ? { outcome: 'verified', steps } : { outcome: 'failed', failing, steps }
}

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Climbed {
  readonly leaf: Uint8Array
  readonly path: readonly Uint8Array[]
  readonly drawn: readonly DrawnStep[]
  readonly tiles: readonly string[]
}

/** The leaf and its path, out of tiles alone. */
const climb = async (reading: TileReading, index: number, size: number): Promise<Climbed> => {
  const { value, tiles } = await makeFromTiles(reading, size, (read) => ({
    leaf: read(0, index),
    path: inclusionProof(read, index, size),
  }))
  let hash = value.leaf
  const drawn = inclusionSteps(index, size).map(({ side, from, to }, i): DrawnStep => {
    const sibling = value.path[i] ?? new Uint8Array(0)
    hash = side === 'left' ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    const of = tilesFor(size, (read) => rangeRoot(read, from, to)).map(tilePath)
    return { side, from, to, hash: toHex(sibling), tiles: of, gives: toHex(hash) }
  })
  return { ...value, drawn, tiles }
}

/** The entry of a leaf of the event log, if its hash is that of the tree. */
const entryOf = async (reading: TileReading, index: number, size: number): Promise<Uint8Array | undefined> => {
  const tile = tileAt(0, Math.floor(index / TILE_WIDTH), size)
  if (tile === undefined) return undefined
  return entriesOf(await readTile(reading, { ...tile, level: 'entries' }))?.[index % TILE_WIDTH]
}

const checkEntry = async ({ reading, index }: Asked, size: number, leaf: Uint8Array) => {
  const data = await entryOf(reading, index, size)
  const holds = data !== undefined && equalBytes(leafHash(data), leaf)
  const words = [
    'The entry that the bundle holds has this leaf’s hash.',
    'The entry is not what the tree hashes.',
  ] as const
  return { step: judged(holds, 'entry', words), entry: holds && data !== undefined ? fromUtf8(data) : undefined }
}

const openedStep = ({ checkpoint, by }: OpenedHead): VerificationStep =>
  ok('checkpoint', `The log signed the tree of ${checkpoint.size} leaves, with ${by}.`)

const witnessStep = ({ witnesses }: OpenedHead): VerificationStep =>
  skipped(
    'witnesses',
    witnesses.length === 0
      ? 'Nobody else has signed this checkpoint yet.'
      : `${witnesses.length} others signed it too, of whom a policy says whom to trust: ${witnesses.join(', ')}.`,
  )

/** All steps for a leaf under an opened checkpoint. */
const checkUnder = async (asked: Asked, opened: OpenedHead): Promise<LeafCheck> => {
  const { reading, index, hash, token } = asked
  const { checkpoint } = opened
  const { size, root, origin } = checkpoint
  const { leaf, path, drawn, tiles } = await climb(reading, index, size)
  const events = origin.startsWith('tickmesh.events/')
  const entry = events ? await checkEntry(asked, size, leaf) : undefined
  const isIn = verifyInclusion({ leafHash: leaf, index, size, path, root })
  const steps = [
    openedStep(opened),
    ok('tiles', `${tiles.length} ${tiles.length === 1 ? 'tile' : 'tiles'} fetched: ${tiles.join(', ')}.`),
    judged(toHex(leaf) === hash, 'leaf', [
      'The hash that the node names is the one in the tile.',
      'The tile has another hash at this place.',
    ]),
    judged(isIn, 'inclusion', [
      `${path.length} ${path.length === 1 ? 'hash leads' : 'hashes lead'} from the leaf to the root that was signed.`,
      'The path does not lead to the root that was signed.',
    ]),
    ...(token === null
      ? []
      : [
          judged(tokenIdOf(origin, index) === token, 'token', [
            'The token is the one that belongs to this place in this log.',
            'The token belongs to another place.',
          ]),
        ]),
    ...(entry === undefined ? [] : [entry.step]),
    witnessStep(opened),
  ]
  return { found: viewOf(steps), leaf: toHex(leaf), checkpoint, path: drawn, entry: entry?.entry }
}

const unopened = (step: VerificationStep, leaf: string): LeafCheck => ({
  ...{ found: viewOf([step]), leaf, checkpoint: undefined, path: [], entry: undefined },
})

/**
 * Checks a leaf from the read paths alone: the signed checkpoint, the tiles, the path to its root. What the browser
 * keeps is asked for anew where it does not fit: a node with new data has other tiles at the same addresses.
 *
 * @throws ApiProblem, NodeGone, the signal's reason
 */
export const checkLeaf = async (asked: Asked): Promise<LeafCheck> => {
  const note = await readCheckpoint(asked.reading)
  let opened: OpenedHead
  try {
    opened = openPinned(asked.pinned, note)
  } catch (error) {
    return unopened(failed('checkpoint', why(error)), asked.hash)
  }
  if (asked.index >= opened.checkpoint.size) {
    return unopened(skipped('checkpoint', 'The checkpoint that was read does not cover this leaf yet.'), asked.hash)
  }
  const first = await checkUnder(asked, opened)
  if (first.found.outcome === 'verified' || asked.reading.anew === true) return first
  return checkUnder({ ...asked, reading: { ...asked.reading, anew: true } }, opened)
}
