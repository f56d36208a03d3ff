import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PAGE_FILE } from '#core/mmio/table.ts'
import { seeded } from '../../test/kit/random.ts'
import { bench, wholeOr } from './bench.ts'
import { killRounds } from './mmio/kills.ts'
import {
  countedBy,
  countIn,
  cReader,
  emptyCount,
  isThere,
  pythonReader,
  type Running,
  running,
  writer,
} from './mmio/programs.ts'

const PAGES = 1_000_000
const ROUNDS = 100
const SEED = 1_287
const MEMORY = '/dev/shm'

const total = { pages: 0, bad: 0 }
const whole = (value: number): string => value.toLocaleString('en')

/** A page, who reads it, and how it is written: see the writer. */
interface Beside {
  readonly directory: string
  readonly start: () => Running
  readonly how?: readonly string[]
}

const fresh = (directory: string, how: readonly string[]): Running => {
  rmSync(join(directory, PAGE_FILE), { force: true })
  emptyCount(directory)
  return writer(directory, 1, ...how)
}

/** Lets one reader take pages beside a writer, both at full speed, and prints what came of it. */
const beside = async (name: string, { directory, start, how = [] }: Beside): Promise<void> => {
  const source = fresh(directory, how)
  try {
    await source.says('begins')
    using reader = start()
    const it = await countedBy(reader)
    const { pages, ns } = countIn(directory)
    const rate = Math.round(it.pages / (it.ns / 1e9))
    console.log(`${name}: ${whole(it.pages)} pages taken, ${whole(it.distinct)} of them new, ${whole(rate)} a second`)
    console.log(
      `  wrong ${it.wrong}, tick fell ${it.fell}, ticks behind at most ${it.behind}, answered busy ${whole(it.busy)}`,
    )
    console.log(
      `  copies refused: ${whole(it.odd)} odd, ${whole(it.moved)} changed meanwhile, ${it.torn} by the sum alone`,
    )
    console.log(`  pages written ${whole(pages)}, ${(ns / 1e3 / pages).toFixed(1)} µs each`)
    total.pages += it.pages
    total.bad += it.wrong + it.fell + Number(it.behind > 2)
  } finally {
    source[Symbol.dispose]()
    await source.ended
  }
}

interface Bare {
  readonly even: number
  readonly even_torn: number
  readonly even_mixed: number
  readonly agreed: number
  readonly agreed_torn: number
  readonly agreed_mixed: number
}

/** What readers that do not look at the sum would have taken. */
const bare = async (name: string, { directory, start, how = [] }: Beside): Promise<void> => {
  using source = fresh(directory, how)
  await source.says('begins')
  using reader = start()
  const { lines } = await reader.ended
  const it = JSON.parse(lines.at(-1) ?? '') as Bare
  console.log(
    `${name}, the word of the copy alone: ${whole(it.even)} even copies, ${it.even_mixed} of two pages, ` +
      `${it.even_torn} refused by their sum`,
  )
  console.log(
    `${name}, two loads of the word: ${whole(it.agreed)} copies agreed, ${it.agreed_mixed} of two pages, ` +
      `${it.agreed_torn} refused by their sum`,
  )
}

const kills = async (directory: string, program: string): Promise<void> => {
  rmSync(join(directory, PAGE_FILE), { force: true })
  emptyCount(directory)
  const pages = seeded(SEED).integer
  const { rounds, reader, isOneFile } = await killRounds({ directory, program, count: ROUNDS, pages })
  const other = rounds.filter(({ found, due }) => found !== due).length
  console.log(`kill -9 at every place between two writes: ${rounds.length} rounds, ${other} left another page than due`)
  console.log(
    `  a reader all the while: ${whole(reader.pages)} pages, ${whole(reader.distinct)} new, wrong ${reader.wrong}, ` +
      `tick fell ${reader.fell}; the file was ${isOneFile ? 'one and the same' : 'replaced'}`,
  )
  total.bad += other + reader.wrong + reader.fell + Number(!isOneFile)
}

/** Pages that programs in C and Python take from a page that is written as fast as it can be. */
export const mmio = bench({
  name: 'mmio',
  summary: 'register pages taken in C and Python beside a writer at full speed, and over kill -9 [pages, folder]',
  async run([pages, base = existsSync(MEMORY) ? MEMORY : tmpdir()]) {
    const count = wholeOr(pages, PAGES)
    if (!isThere('cc') || !isThere('python3')) throw new Error('a compiler of C and Python are wanted')
    const folder = mkdtempSync(join(base, 'tickmesh-mmio-'))
    try {
      const mapped = cReader(folder)
      const byPread = cReader(folder, { flags: ['-DTICKMESH_PREAD'] })
      const taking = (program: string, what: string) => {
        return { directory: folder, start: () => running(program, what, folder, `${count}`) }
      }
      const inPython = { directory: folder, start: () => pythonReader(folder, count) }
      await beside('C, mapped', taking(mapped, 'whole'))
      await beside('C, by pread', taking(byPread, 'whole'))
      await beside('Python, mapped', inPython)
      await bare('mapped', taking(mapped, 'bare'))
      await bare('by pread', taking(byPread, 'bare'))
      console.log('written without its word, and in halves, as if loads overtook each other:')
      const how = ['wordless']
      await beside('C, mapped', { ...taking(mapped, 'whole'), how })
      await beside('Python, mapped', { ...inPython, how })
      await bare('mapped', { ...taking(mapped, 'bare'), how })
      await kills(folder, mapped)
    } finally {
      rmSync(folder, { recursive: true })
    }
    console.log(`${whole(total.pages)} pages taken, ${total.bad} faults`)
    if (total.bad > 0) process.exitCode = 1
  },
})
