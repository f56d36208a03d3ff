import { toHex } from '#core/bytes.ts'
import { consistencyProof, consistencySteps, rangeRoot, verifyConsistency } from '#core/merkle.ts'
import { tilePath } from '#core/tiles.ts'
import type { VerificationStep, VerificationView } from '#ui/part/verdict.tsx'
import { makeFromTiles, type TileReading, tilesFor } from './tiles.ts'
import { type OpenedHead, openPinned, type Pinned } from './trust.ts'

/** One hash of a consistency proof. */
export interface ProofRow {
  readonly from: number
  readonly to: number
  readonly hash: string
  readonly tiles: readonly string[]
}

/** What was found of two checkpoints. */
export interface ConsistencyCheck {
  readonly found: VerificationView
  readonly rows: readonly ProofRow[]
}

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Opens both; of the first that cannot be opened, the step that fails. */
const openBoth = (pinned: Pinned, notes: readonly [older: string, newer: string]) => {
  const steps: VerificationStep[] = []
  const opened: OpenedHead[] = []
  for (const [i, step] of (['older', 'newer'] as const).entries()) {
    try {
      const it = openPinned(pinned, notes[i] ?? '')
      opened.push(it)
      steps.push({
        step,
        state: 'ok',
        detail: `The log signed the tree of ${it.checkpoint.size} leaves, with ${it.by}.`,
      })
    } catch (error) {
      steps.push({ step, state: 'failed', detail: why(error) })
      break
    }
  }
  return { steps, opened }
}

/**
 * Checks that one signed tree continues another, by a proof made from tiles alone.
 *
 * @throws ApiProblem, NodeGone, the signal's reason
 */
export const checkConsistency = async (
  reading: TileReading,
  pinned: Pinned,
  notes: readonly [older: string, newer: string],
): Promise<ConsistencyCheck> => {
  const { steps, opened } = openBoth(pinned, notes)
  const [older, newer] = opened.map(({ checkpoint }) => checkpoint)
  const failing = steps.find(({ state }) => state === 'failed')?.step
  if (older === undefined || newer === undefined) {
    return { found: { outcome: 'failed', steps, ...(failing !== undefined && { failing }) }, rows: [] }
  }
  const [oldSize, newSize] = [older.size, newer.size]
  const { value: path, tiles } = await makeFromTiles(reading, newSize, (read) =>
    consistencyProof(read, oldSize, newSize),
  )
  const holds = verifyConsistency({ oldSize, newSize, oldRoot: older.root, newRoot: newer.root, path })
  const rows = consistencySteps(oldSize, newSize).map(({ from, to }, i): ProofRow => {
    const of = tilesFor(newSize, (read) => rangeRoot(read, from, to)).map(tilePath)
    return { from, to, hash: toHex(path[i] ?? new Uint8Array(0)), tiles: of }
  })
  const all: readonly VerificationStep[] = [
    ...steps,
    { step: 'tiles', state: 'ok', detail: tiles.length === 0 ? 'None is needed.' : `Fetched: ${tiles.join(', ')}.` },
    holds
      ? {
          step: 'consistency',
          state: 'ok',
          detail: `The first ${oldSize} leaves of the newer tree are the older tree.`,
        }
      : { step: 'consistency', state: 'failed', detail: 'The proof does not join the two roots: leaves were changed.' },
  ]
  if (holds) return { found: { outcome: 'verified', steps: all }, rows }
  if (reading.anew !== true) return checkConsistency({ ...reading, anew: true }, pinned, notes)
  return { found: { outcome: 'failed', failing: 'consistency', steps: all }, rows }
}
