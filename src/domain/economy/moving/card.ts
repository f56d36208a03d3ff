import { breathe } from '#core/wait.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'

/** Serial numbers that are sorted, or merged, before others have their turn. */
const SORTED_AT_ONCE = 32_768

/** What of a token its owner's list counts. */
export interface CardToken {
  /** Serial number of its leaf: its place in any list. */
  readonly serial: number
  readonly folder: string
  /** Whether it stands among those that may move once no timed lock stands. */
  readonly listedMovable: boolean
}

/** Where the tokens of a long move stand in the lists of their owners. */
export interface Card {
  /** Serial numbers of their leaves, ascending. */
  readonly ascending: Float64Array
  /** How many from position `done` of the op's list on are meant. */
  count(done: number, meant: (token: CardToken) => boolean): number
}

/** Merges two sorted runs, with turns for others between. */
const merge = async (from: Float64Array, to: Float64Array, [low, middle, high]: readonly [number, number, number]) => {
  let [a, b] = [low, middle]
  for (let at = low; at < high; at += 1) {
    if (at % SORTED_AT_ONCE === 0) await breathe()
    const first = b >= high || (a < middle && (from[a] ?? 0) <= (from[b] ?? 0))
    to[at] = (first ? from[a++] : from[b++]) ?? 0
  }
}

/** Sorts numbers ascending, with turns for others between. */
const sortLong = async (values: Float64Array): Promise<Float64Array> => {
  const { length } = values
  let [from, to] = [values.slice(), new Float64Array(length)]
  for (let at = 0; at < length; at += SORTED_AT_ONCE) {
    await breathe()
    from.subarray(at, at + SORTED_AT_ONCE).sort()
  }
  for (let run = SORTED_AT_ONCE; run < length; run *= 2) {
    for (let at = 0; at < length; at += 2 * run) {
      await merge(from, to, [at, Math.min(at + run, length), Math.min(at + 2 * run, length)])
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** Notes where tokens stand, one after another in the order of the op's list. */
export const cardOf = (count: number) => {
  const serials = new Float64Array(count)
  const folders = new Uint32Array(count)
  const movable = new Uint8Array(count)
  const names: string[] = []
  const numbers = new Map<string, number>()
  const numberOf = (folder: string): number => {
    const known = numbers.get(folder)
    if (known !== undefined) return known
    numbers.set(folder, names.length)
    return names.push(folder) - 1
  }
  return {
    note: (at: number, { index, folder, soulbound, lock }: EnvelopeRow): void => {
      serials[at] = index
      folders[at] = numberOf(folder)
      movable[at] = !soulbound && (lock === null || lock.until !== null) ? 1 : 0
    },
    finish: async (): Promise<Card> => ({
      ascending: await sortLong(serials),
      count: (done, meant) => {
        let found = 0
        for (let at = done; at < count; at += 1) {
          const folder = names[folders[at] ?? 0] ?? ''
          if (meant({ serial: serials[at] ?? 0, folder, listedMovable: movable[at] === 1 })) found += 1
        }
        return found
      },
    }),
  }
}
