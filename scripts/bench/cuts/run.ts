import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Random, seeded } from '../../../test/kit/random.ts'
import { lossesIn } from './check.ts'
import { cutInto, type Dropped, fates, type Mode, orders } from './cut.ts'
import { createDisk, type Deaf, type Disk, type Image, imageOf } from './disk.ts'
import type { Call } from './journal.ts'
import type { Note } from './notes.ts'
import { compileRecorder, record } from './record.ts'
import type { Workload } from './workload.ts'

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
/** A whole node is started after every so many cuts. */
const WHOLE_EVERY = 20
/** Calls after a change of names that a cut falls into more often than into others. */
const NEAR = 3

/** One cut. */
export interface Cut {
  /** Calls that came before it. */
  readonly at: number
  readonly mode: Mode
  readonly dropped: Dropped
  readonly losses: readonly string[]
}

/** A workload that was recorded. */
export interface Recorded extends Disposable {
  readonly workload: Workload
  readonly calls: readonly Call[]
  /** Folder of the recording. */
  readonly folder: string
  /** The directory as it is after the last call. */
  readonly below: string
  /** The directory as it was before the first call. */
  readonly first: Image
}

/** Runs a workload to its end in a process of its own, and records it. */
export const recorded = async (workload: Workload, size: number): Promise<Recorded> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tickmesh-cuts-')))
  const below = join(folder, 'disk')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    mkdirSync(below)
    await workload.prepare?.(below)
    const recording = { recorder: compileRecorder(folder), journal: join(folder, 'journal'), below }
    // The recording speaks of inodes: the disk is read before the program begins.
    const first = imageOf(below)
    const calls = await record(recording, CHILD, [workload.name, below, `${size}`])
    return { workload, calls, folder, below, first, [Symbol.dispose]: remove }
  } catch (cause) {
    remove()
    throw cause
  }
}

/** Calls after which something is not synced, and those of them that come just after a change of names. */
const places = (calls: readonly Call[]): { readonly open: readonly number[]; readonly names: readonly number[] } => {
  const open: number[] = []
  const names: number[] = []
  let named = Number.NEGATIVE_INFINITY
  for (const [i, { kind }] of calls.entries()) {
    if (['opened', 'renamed', 'linked', 'unlinked', 'made-directory'].includes(kind)) named = i
    if (kind !== 'note') open.push(i + 1)
    if (i - named <= NEAR) names.push(i + 1)
  }
  return { open, names }
}

/** How often a recording is cut off, and how that is drawn. */
export interface Drawing {
  /** How many cuts are drawn, or after which calls they come. */
  readonly cuts: number | readonly number[]
  readonly seed: number
  /** Syncs that the disk takes no notice of, to see the loss found. */
  readonly deaf?: Deaf
  /** What is not drawn. */
  readonly mode?: Partial<Mode>
}

const draw = ({ open, names }: ReturnType<typeof places>, count: number, random: Random): number[] =>
  Array.from({ length: count }, (_, i) => random.pick(i % 2 === 0 ? open : names))

const drawMode = (random: Random): Mode => ({
  order: random.pick(orders),
  fate: random.pick([...fates, 'mixed'] as const),
  names: random.pick(['none', 'some', 'all'] as const),
})

/** What a directory holds, as texts by path. */
const treeOf = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true }).map((it) => {
      const path = join(it.parentPath, it.name)
      return [path.slice(directory.length), it.isFile() ? readFileSync(path, 'latin1') : 'a directory']
    }),
  )

/** A disk that keeps all holds what the program left: the recorder missed nothing. @throws Error where it did */
const assertWhole = ({ folder, below }: Recorded, disk: Disk): void => {
  const place = join(folder, 'whole')
  mkdirSync(place)
  cutInto(place, disk, { mode: { order: 'directory', fate: 'kept', names: 'none' }, random: seeded(0) })
  const [made, real] = [treeOf(place), treeOf(below)]
  const other = [...new Set([...made.keys(), ...real.keys()])].filter((path) => made.get(path) !== real.get(path))
  if (real.size === 0 || other.length > 0) throw new Error(`the recorder missed what became of ${other.join(', ')}`)
  rmSync(place, { recursive: true })
}

/**
 * Cuts a recorded workload off again and again, each time at another place, and looks what was lost.
 *
 * @throws Error where the recording is not all that the program did.
 */
export const cutOff = async (
  recording: Recorded,
  { cuts: count, seed, deaf, mode: given }: Drawing,
): Promise<readonly Cut[]> => {
  const { workload, calls, folder } = recording
  const random = seeded(seed)
  const drawn = typeof count === 'number' ? draw(places(calls), count, random) : [...count]
  const disk = createDisk(recording.first, deaf)
  const notes: Note[] = []
  const cuts: Cut[] = []
  let done = 0
  for (const at of drawn.sort((a, b) => a - b)) {
    for (const call of calls.slice(done, at)) {
      if (call.kind === 'note') notes.push(JSON.parse(call.text) as Note)
      else disk.apply(call)
    }
    done = at
    const place = join(folder, 'cut')
    mkdirSync(place)
    const mode = { ...drawMode(random), ...given }
    const dropped = cutInto(place, disk, { mode, random })
    const own = (await workload.examine?.(place).catch((cause: unknown) => [`${cause}`])) ?? []
    const isWhole = (cuts.length + 1) % WHOLE_EVERY === 0
    const losses = [...own, ...(await lossesIn(place, { notes, isWhole }))]
    cuts.push({ at, mode, dropped, losses })
    rmSync(place, { recursive: true, force: true })
  }
  for (const call of calls.slice(done)) disk.apply(call)
  assertWhole(recording, disk)
  return cuts
}
