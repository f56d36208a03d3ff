// Goal: what is made from the table of registers is what the table says, and programs in C, C++ and Python read a page
// and write a control file as the node does. Method: the files held against what makes them; the header compiled with
// every warning an error; drawn pages, and those of the vectors, written here and read there, register by register.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, toHex } from '#core/bytes.ts'
import { faults } from '#core/fault.ts'
import { jsonValue, putRegister, type RegisterValue, registerOf, stateOfCopy, sumPage } from '#core/mmio/page.ts'
import {
  CONTROL_FILE,
  controlRegisters,
  PAGE_BYTES,
  PAGE_FILE,
  pageRegisters,
  type Register,
  registerIn,
} from '#core/mmio/table.ts'
import table from '#protocols/mmio.json' with { type: 'json' }
import vectors from '#protocols/vectors/mmio.json' with { type: 'json' }
import { compiled, cReader, isThere, MADE } from '../../scripts/bench/mmio/programs.ts'
import { madeFiles } from '../../scripts/mmio/files.ts'
import { pageText } from '../../scripts/mmio/page.ts'
import { codeNumbers } from '../../scripts/vectors/mmio.ts'
import { type Random, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('scripts: mmio')

/** Pages that are drawn; each is read by every program. */
const DRAWN = 12
const MS_MAX = 20_000

const fileOf = (bytes: string): Uint8Array => {
  const file = new Uint8Array(PAGE_BYTES)
  file.set(fromHex(bytes))
  return file
}

/** A directory with both files; the control file is empty. */
const filesIn = (base: string, page: Uint8Array): string => {
  const directory = join(base, 'registers')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, PAGE_FILE), page)
  writeFileSync(join(directory, CONTROL_FILE), new Uint8Array(PAGE_BYTES))
  return directory
}

/** How a program of C is called, and what it says. */
const said = (
  program: string,
  ...words: readonly string[]
): { readonly status: number | null; readonly out: string } => {
  const { status, stdout } = spawnSync(program, words, { encoding: 'utf8' })
  return { status, out: stdout.trim() }
}

const printed = (program: string, directory: string): ReadonlyMap<string, string> =>
  new Map(
    said(program, 'print', directory)
      .out.split('\n')
      .map((line) => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1)]),
  )

/** Whether a text of C says a value. */
const says = ({ type }: Register, text: string | undefined, value: RegisterValue): boolean => {
  if (text === undefined) return false
  if (type === 'f32') return Object.is(Math.fround(Number(text)), value)
  return type === 'f64' ? Object.is(Number(text), value) : text === String(value)
}

const drawnValue = (random: Random, { type, width }: Register): RegisterValue => {
  if (type === 'bytes') return toHex(random.bytes(width))
  if (type === 'text') return 'z'.repeat(random.integer(0, width))
  if (type === 'f32' || type === 'f64') return (random.next() - 0.5) / random.next()
  return random.bytes(Number(type.slice(1)) / 8).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
}

const drawnPage = (random: Random): Uint8Array => {
  const page = new Uint8Array(PAGE_BYTES)
  for (const it of pageRegisters)
    putRegister(page, it, it.reset !== null && it.reset !== 0 && it.reset !== '' ? it.reset : drawnValue(random, it))
  const seqlock = registerIn(pageRegisters, 'seqlock')
  putRegister(page, seqlock, (registerOf(page, seqlock) as bigint) & ~1n)
  // A row of a later table.
  if (random.integer(0, 1) === 1) page[random.integer(480, PAGE_BYTES - 1)] = 255
  sumPage(page)
  assert.equal(stateOfCopy(page), 'whole')
  return page
}

const pages = (): readonly Uint8Array[] => {
  const random = seeded()
  return [...vectors.pages.map(({ bytes }) => fileOf(bytes)), ...Array.from({ length: DRAWN }, () => drawnPage(random))]
}

/** What a program must call a copy that it does not take. */
const refusedAs = { odd: 'busy', torn: 'busy', foreign: 'foreign' } as const
type Refused = keyof typeof refusedAs

test('what is made from the table is what stands in the tree', () => {
  for (const { name, url, text } of madeFiles()) {
    assert.equal(readFileSync(url, 'utf8'), text, `${name}: run \`node scripts/mmio.ts\`, and read the diff`)
  }
  assert.throws(() => pageText('# Register page\n'), /mmio\.bin: made/)
})

test('the numbers of refusals are those of the catalogue, and a row is appended or refused', () => {
  const now = Object.keys(faults)
  assert.deepEqual(
    Object.keys(vectors.codes),
    now,
    'the catalogue of refusals has other rows: run `node scripts/vectors.ts`; append rows, never insert or move one',
  )
  assert.deepEqual(codeNumbers(vectors.codes, now), vectors.codes)
  assert.equal(codeNumbers(vectors.codes, [...now, 'NEW'])['NEW'], now.length + 1)
  const wrong = [['NEW', ...now], now.toReversed(), now.slice(1), now.toSpliced(40, 0, 'NEW')]
  for (const rows of wrong) assert.throws(() => codeNumbers(vectors.codes, rows), /append rows behind the last/)
})

for (const language of ['c', 'cpp'] as const) {
  const title = `${language}: the header compiles without a warning, with the offsets of the table`
  if (isThere(language === 'c' ? 'cc' : 'g++')) {
    test(
      title,
      () => {
        using dir = tempDir()
        const source = join(dir.path, 'offsets')
        const word = language === 'c' ? '_Static_assert' : 'static_assert'
        const files = [table.files['mmio.bin'], table.files['mmio.ctl']]
        const asserts = files.flatMap(({ registers }, i) =>
          registers.flatMap(({ name, offset, width }) => {
            const symbol = `TICKMESH_${i === 0 ? '' : 'CTL_'}${name.toUpperCase()}`
            return [`${word}(${symbol}_OFFSET == ${offset}, "");`, `${word}(${symbol}_WIDTH == ${width}, "");`]
          }),
        )
        const codes = Object.entries(vectors.codes).map(([code, n]) => `${word}(TICKMESH_ERROR_${code} == ${n}, "");`)
        assert.ok(asserts.length > 90 && codes.length > 60)
        const text = ['#include "tickmesh_mmio.h"', ...asserts, ...codes, 'int main(void) { return 0; }', '']
        writeFileSync(source, text.join('\n'))
        compiled(source, `${source}.out`, { language })
        // What is asserted is looked at: an offset that is another does not compile.
        writeFileSync(source, text.join('\n').replace('TICK_OFFSET == 72', 'TICK_OFFSET == 73'))
        assert.throws(() => compiled(source, `${source}.out`, { language }))
      },
      MS_MAX,
    )
  } else test.skip(title, 'there is no compiler')
}

const variants = { mapped: {}, 'by pread': { flags: ['-DTICKMESH_PREAD'] }, 'as C++': { language: 'cpp' } } as const

for (const [name, how] of Object.entries(variants)) {
  const title = `C, ${name}: every register is read as it was written, and what is no page is not`
  if (isThere('language' in how ? 'g++' : 'cc')) {
    test(
      title,
      () => {
        using dir = tempDir()
        const program = cReader(dir.path, how)
        for (const page of pages()) {
          const directory = filesIn(dir.path, page)
          const read = printed(program, directory)
          for (const it of pageRegisters) {
            const value = registerOf(page, it)
            assert.ok(says(it, read.get(it.name), value), `${it.name}: ${read.get(it.name)}, not ${value}`)
          }
          assert.equal(read.size, pageRegisters.length + 1)
        }
        for (const { bytes, state, why } of vectors.refused) {
          const { out } = said(program, 'print', filesIn(dir.path, fileOf(bytes)))
          assert.equal(out, refusedAs[state as Refused], why)
        }
        for (const { bytes } of vectors.other_layouts) {
          assert.equal(said(program, 'print', filesIn(dir.path, fileOf(bytes))).out, 'other layout')
        }
        const directory = filesIn(dir.path, fileOf(vectors.pages[0]?.bytes ?? ''))
        truncateSync(join(directory, PAGE_FILE), 4_095)
        assert.equal(said(program, 'print', directory).out, 'foreign')
        assert.equal(said(program, 'print', join(directory, 'nowhere')).out, 'failed')
        assert.equal(said(program, 'print', '/'.repeat(5_000)).out, 'failed')
      },
      MS_MAX,
    )
  } else test.skip(title, 'there is no compiler')
}

const words = (directory: string): readonly RegisterValue[] => {
  const file = readFileSync(join(directory, CONTROL_FILE))
  return controlRegisters.map((it) => registerOf(file, it))
}

/** Programs that ring, mask and acknowledge: what the words of each are in the end. */
const owners: Readonly<Record<string, (base: string) => (...words: readonly string[]) => number | null>> = {
  C: (base) => {
    const program = cReader(base)
    const numbered: Readonly<Record<string, readonly string[]>> = {
      ring: ['ring', join(base, 'registers'), '1', '2'],
      mask: ['mask', join(base, 'registers'), '3'],
      acknowledge: ['acknowledge', join(base, 'registers'), '6'],
    }
    return (what) => said(program, ...(numbered[what ?? ''] ?? [])).status
  },
  Python: (base) => {
    const code = {
      ring: 'node.ring(1, 2)',
      mask: 'node.mask(3)',
      acknowledge: 'node.acknowledge(6)',
    } as Readonly<Record<string, string>>
    const begin = `import sys; sys.path.insert(0, ${JSON.stringify(MADE)}); sys.dont_write_bytecode = True
import tickmesh_mmio
node = tickmesh_mmio.Node(${JSON.stringify(join(base, 'registers'))})\n`
    return (what) => spawnSync('python3', ['-c', begin + code[what ?? '']]).status
  },
}

for (const [name, owner] of Object.entries(owners)) {
  const title = `${name}: words and doorbell, mask and acknowledgement are put where the node reads them`
  if (isThere(name === 'C' ? 'cc' : 'python3')) {
    test(
      title,
      () => {
        using dir = tempDir()
        const page = fileOf(vectors.pages[1]?.bytes ?? '')
        const directory = filesIn(dir.path, page)
        const ask = owner(dir.path)
        const done = registerOf(page, registerIn(pageRegisters, 'doorbell_done')) as bigint
        assert.equal(ask('ring'), 0)
        assert.deepEqual(words(directory), [done + 1n, 1, 2, 0, 0], 'a new control file’s bell is behind the page')
        assert.equal(ask('ring'), 0)
        assert.equal(ask('mask'), 0)
        assert.deepEqual(words(directory), [done + 2n, 1, 2, 3, 0])
        assert.equal(ask('acknowledge'), 0)
        assert.equal(ask('acknowledge'), 0, 'not taken yet: it stands')
        assert.deepEqual(words(directory), [done + 2n, 1, 2, 3, 6])
        truncateSync(join(directory, CONTROL_FILE), 100)
        assert.notEqual(ask('ring'), 0)
        assert.equal(readFileSync(join(directory, CONTROL_FILE)).length, 100, 'a file that is none is left alone')
      },
      MS_MAX,
    )
  } else test.skip(title, `${name} is not installed`)
}

/** Reads the pages of some directories; what is no page has the name of what is raised. */
const READ_ALL = `
import json, sys
sys.path.insert(0, sys.argv[1])
import tickmesh_mmio as mmio
said = []
for directory in sys.argv[3:]:
    with mmio.Node(directory, pread=sys.argv[2] == "True") as node:
        try:
            said.append(node.read().as_json())
        except mmio.NoPage as error:
            said.append(type(error).__name__)
print(json.dumps(said))
`

const python = (...rest: readonly string[]) =>
  spawnSync('python3', ['-B', join(MADE, 'tickmesh_mmio.py'), ...rest], { encoding: 'utf8' })

const titles = {
  read: 'Python: every register is read as it was written, and what is no page is not',
  hand: 'Python by hand: text, JSON, and words that nobody knows',
}

if (isThere('python3')) {
  test(
    titles.read,
    () => {
      using dir = tempDir()
      const due = [
        ...pages().map((page) => {
          const registers = pageRegisters.map((it) => [it.name, jsonValue(registerOf(page, it))])
          return { page, read: Object.fromEntries(registers) as unknown }
        }),
        ...vectors.refused.map(({ bytes, state }) => {
          return { page: fileOf(bytes), read: { busy: 'Busy', foreign: 'Foreign' }[refusedAs[state as Refused]] }
        }),
        ...vectors.other_layouts.map(({ bytes }) => ({ page: fileOf(bytes), read: 'OtherLayout' })),
      ]
      const places = due.map(({ page }, i) => filesIn(join(dir.path, `${i}`), page))
      for (const how of ['False', 'True']) {
        const { stdout, stderr } = spawnSync('python3', ['-Bc', READ_ALL, MADE, how, ...places], { encoding: 'utf8' })
        assert.equal(stderr, '')
        assert.deepEqual(
          JSON.parse(stdout),
          due.map(({ read }) => read),
        )
      }
    },
    MS_MAX,
  )

  test(titles.hand, () => {
    using dir = tempDir()
    const directory = filesIn(dir.path, fileOf(vectors.pages[1]?.bytes ?? ''))
    const { status, stdout } = python(directory)
    // The page is as old as the vectors.
    assert.equal(status, 1)
    assert.match(stdout, /^tick {13}1287 tick$/m)
    assert.match(stdout, /^mode {13}1 contributing$/m)
    assert.match(stdout, /^irq_status {7}131 tick sealed error$/m)
    assert.match(stdout, /^error {12}3 MALFORMED_JSON$/m)
    assert.match(stdout, /^the node {9}is gone$/m)
    assert.equal(python(directory, 'mask', 'tick', 'error').status, 0)
    assert.equal(words(directory)[3], 0b1000_0001)
    assert.equal(python().status, 2)
    assert.equal(python(directory, 'ring', 'flying').status, 2)
    assert.equal(python(directory, 'mask', 'hunger').status, 2)
    assert.equal(python(join(directory, 'nowhere')).status, 3)
  })
} else for (const title of Object.values(titles)) test.skip(title, 'Python is not installed')

test.run()
