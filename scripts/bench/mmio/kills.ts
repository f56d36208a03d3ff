import { readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { stateOfCopy } from '#core/mmio/page.ts'
import { PAGE_FILE } from '#core/mmio/table.ts'
import { tickOf } from './pages.ts'
import { type Counted, countedBy, countIn, running, writer } from './programs.ts'

/** Places at which a writer ends: before the first write, then after each, once in the middle of the second. */
export const PARTS = 5
const AFTER_EVEN = 4
const PAGES_PER_ROUND = 8

/** What stood in the file after a kill, and what should have. */
export interface Killed {
  readonly part: number
  readonly found: string
  readonly due: string
}

/** What became of rounds of kills. */
export interface KilledRounds {
  readonly rounds: readonly Killed[]
  /** What a reader saw that had the page mapped all the while. */
  readonly reader: Counted
  /** Whether all writers wrote into one and the same file. */
  readonly isOneFile: boolean
}

interface Rounds {
  readonly directory: string
  /** The reader in C. */
  readonly program: string
  readonly count: number
  /** How many whole pages a writer writes before it ends, at least and at most as given. */
  readonly pages: (low: number, high: number) => number
}

/** Where the word is even the page is one of one tick, and which. */
const foundIn = (directory: string): string => {
  const page = readFileSync(join(directory, PAGE_FILE))
  const state = stateOfCopy(page)
  return state === 'whole' ? `tick ${tickOf(page)}` : state
}

/** Writers one after the other take over one page, and each kills itself at the next place. */
export const killRounds = async ({ directory, program, count, pages }: Rounds): Promise<KilledRounds> => {
  let tick = 1
  const round = async (part: number): Promise<Killed> => {
    const before = pages(1, PAGES_PER_ROUND)
    using source = writer(directory, tick, 'at', before, part)
    await source.ended
    const newest = tick + before - (part === AFTER_EVEN ? 0 : 1)
    const due = part === 0 || part === AFTER_EVEN ? `tick ${newest}` : 'odd'
    if (countIn(directory).tick !== BigInt(tick + before - 1)) throw new Error('the writer ended elsewhere')
    tick += before + 1
    return { part, found: foundIn(directory), due }
  }
  await round(AFTER_EVEN)
  const path = join(directory, PAGE_FILE)
  const { ino } = statSync(path)
  using reader = running(program, 'whole', directory, '0')
  await reader.says('begins')
  const rounds: Killed[] = []
  for (let n = 0; n < count; n++) rounds.push(await round(n % PARTS))
  const isOneFile = statSync(path).ino === ino
  await using done = await open(join(directory, 'done'), 'r+')
  await done.write(new Uint8Array(8).fill(255), 0, 8, 0)
  return { rounds, reader: await countedBy(reader), isOneFile }
}
