import { bench, wholeOr } from './bench.ts'
import { type Fate, fates, orders } from './cuts/cut.ts'
import { type Cut, cutOff, recorded } from './cuts/run.ts'
import type { Workload } from './cuts/workload.ts'
import { workloads } from './cuts/workloads/index.ts'

/** Cuts are drawn from it: the same ones every time. */
const SEED = 20_261_127
/** Losses that are told in words for each workload. */
const TOLD_MAX = 10

/** What some cuts come to. */
interface Sum {
  cuts: number
  writes: number
  bytes: number
  names: number
  renames: number
  lossy: number
}

const nothing = (): Sum => ({ cuts: 0, writes: 0, bytes: 0, names: 0, renames: 0, lossy: 0 })

const sumOf = (cuts: readonly Cut[]): Sum => {
  const sum = nothing()
  for (const { dropped, losses } of cuts) {
    sum.cuts += 1
    sum.lossy += losses.length > 0 ? 1 : 0
    for (const what of ['writes', 'bytes', 'names', 'renames'] as const) sum[what] += dropped[what]
  }
  return sum
}

const WIDTH = 12
const columns: readonly (keyof Sum)[] = ['cuts', 'writes', 'bytes', 'names', 'renames', 'lossy']

const row = (name: string, values: readonly (string | number)[]): void =>
  console.log(name.padEnd(22) + values.map((it) => `${it}`.padStart(WIDTH)).join(''))

const table = (title: string, groups: ReadonlyMap<string, readonly Cut[]>): void => {
  row(`\n${title}`, columns)
  for (const [name, cuts] of groups) {
    const sum = sumOf(cuts)
    row(
      name,
      columns.map((it) => sum[it]),
    )
  }
}

/** Tells each kind of loss once: what differs between two cuts is mostly a path or a number. */
const tellLosses = (name: string, cuts: readonly Cut[]): void => {
  const known = new Map<string, Cut>()
  for (const cut of cuts) {
    for (const loss of cut.losses) {
      const kind = loss.replaceAll(/\/\S+|[0-9a-f]{12,}|\d+/g, '…')
      if (!known.has(kind)) known.set(kind, cut)
      if (known.get(kind) === cut && known.size <= TOLD_MAX) {
        console.log(`${name}, call ${cut.at}, ${Object.values(cut.mode).join(' ')}: ${loss}`)
      }
    }
  }
}

const byMode = (cuts: readonly Cut[]): ReadonlyMap<string, readonly Cut[]> => {
  const found = new Map<string, readonly Cut[]>()
  for (const order of orders) {
    for (const fate of [...fates, 'mixed'] as readonly (Fate | 'mixed')[]) {
      found.set(
        `${order}, ${fate}`,
        cuts.filter(({ mode }) => mode.order === order && mode.fate === fate),
      )
    }
  }
  return found
}

const chosen = (word: string | undefined): readonly Workload[] =>
  word === undefined || word === 'all' ? workloads : workloads.filter((it) => it.name === word)

/**
 * Cuts the power of a node's disk off at drawn places among its writes, and opens what such a cut leaves: everything
 * that was acknowledged before must be there, fsck must find it whole, and it must go on as one history.
 */
export const powerCuts = bench({
  name: 'power-cuts',
  summary: 'the disk cut off between write and sync: nothing acknowledged may be lost [workload|all] [times as many]',
  async run([word, times]) {
    const factor = wholeOr(times, 1)
    const all = new Map<string, readonly Cut[]>()
    for (const workload of chosen(word)) {
      using recording = await recorded(workload, workload.size)
      const cuts = await cutOff(recording, { cuts: workload.cuts * factor, seed: SEED })
      all.set(workload.name, cuts)
      tellLosses(workload.name, cuts)
    }
    table('workload', all)
    const every = [...all.values()].flat()
    table('names, bytes', byMode(every))
    const { cuts, lossy } = sumOf(every)
    console.log(`\n${cuts} cuts, ${lossy} of them with a loss`)
    if (lossy > 0) process.exitCode = 1
  },
})
