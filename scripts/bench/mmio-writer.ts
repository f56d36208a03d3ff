import { existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE_FILE } from '#core/mmio/table.ts'
import { openPageFile, type WritePart } from '#domain/network/mmio/page-file.ts'
import { emptyPage, fillPage } from './mmio/pages.ts'

/*
 * Writes pages as fast as it can, one for each tick from the given one on. Beside the page stands the file `done`,
 * three u64: the tick of the newest page that is written to its end, pages written, nanoseconds that they took. Words:
 * directory, first tick, and, for one that ends itself by SIGKILL, `at PAGE PART` (parts: 0 nothing written, 1 the odd
 * word, 2 half of the rest, 3 all of the rest, 4 the even word), or `when FILE PART`: once a file is there. With
 * `wordless` the seqlock word is never written, and the rest in halves: as a machine would have it seen whose loads
 * overtake each other, so that the sum alone tells a page of two moments.
 */

const [directory = '', first = '0', how, which = '', partWord = '0'] = process.argv.slice(2)
const MODE = 0o600
/** Pages between two looks at the file that ends it. */
const LOOK_PAGES = 64
/** The part that ends in the middle of the second write. */
const HALF_WAY = 2

const dieBefore = Number(partWord)
let isDying = false
let part = 0

const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

/** What a reader sees of the writes of a page when the word says nothing to it. */
const wordless: WritePart = (file, page, from, to) => {
  if (from === 0) return
  const half = from + ((to - from) >> 1)
  writeSync(file, page, from, half - from, from)
  writeSync(file, page, half, to - half, half)
}

/** The three writes of a page, with an end in the middle of them when it is time. */
const writePart: WritePart = (file, page, from, to) => {
  if (isDying && part === dieBefore) die()
  part += 1
  if (part === HALF_WAY) {
    const half = (to - from) >> 1
    writeSync(file, page, from, half, from)
    if (isDying && part === dieBefore) die()
    part += 1
  }
  writeSync(file, page, from, to - from, from)
}

const hooks: Readonly<Record<string, { readonly writePart: WritePart }>> = {
  at: { writePart },
  when: { writePart },
  wordless: { writePart: wordless },
}
const file = openPageFile(join(directory, PAGE_FILE), { mode: MODE, ...(hooks[how ?? ''] ?? {}) })
const done = openSync(join(directory, 'done'), 'r+')
const counts = new BigUint64Array(3)
const page = emptyPage()

for (let tick = Number(first), pages = 0; ; tick++, pages++) {
  isDying = how === 'at' ? pages === Number(which) : how === 'when' && pages % LOOK_PAGES === 0 && existsSync(which)
  part = 0
  const from = process.hrtime.bigint()
  fillPage(page, tick, from)
  const begun = process.hrtime.bigint()
  file.write(page)
  counts[2] = (counts[2] as bigint) + process.hrtime.bigint() - begun
  if (isDying) die()
  counts[0] = BigInt(tick)
  counts[1] = BigInt(pages + 1)
  writeSync(done, counts, 0, counts.byteLength, 0)
  if (pages === 0) writeSync(1, 'begins\n')
}
