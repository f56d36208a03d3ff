// Goal: programs beside a node never take a page that is not of one moment, whatever the writer does and wherever it
// dies; they ask, acknowledge, and tell a node that is gone. Method: readers in C and Python and writers in processes
// of their own, pages whose values must fit each other; a writer that kills itself between any two of its writes; a
// real node that is asked by a program in C.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '#core/fault.ts'
import { putRegister, type RegisterValue, registerOf, stateOfCopy, sumPage } from '#core/mmio/page.ts'
import { interrupts, modeValues, PAGE_FILE, pageRegisters, registerIn } from '#core/mmio/table.ts'
import { killRounds, PARTS } from '../../scripts/bench/mmio/kills.ts'
import { emptyPage, fillPage, tickOf } from '../../scripts/bench/mmio/pages.ts'
import {
  type Counted,
  countedBy,
  cReader,
  emptyCount,
  isThere,
  MADE,
  pythonReader,
  running,
  writer,
} from '../../scripts/bench/mmio/programs.ts'
import { ownerCaller } from '../domain/house.ts'
import { sealMany } from '../domain/network/contribution/kit.ts'
import { testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { roomsOf } from '../kit/wealth.ts'

const test = suite('node: mmio readers')

/** Pages that each reader takes; `npm run bench -- mmio` takes a million. */
const PAGES_C = 20_000
const PAGES_PYTHON = 5_000
/** Copies of two moments that each of them sees refused by their sum alone. */
const TORN = 10
/** Ticks that a page may be behind. */
const BEHIND_MAX = 2
/** Kills, as many at each place; the bench has a hundred. */
const ROUNDS = 8 * PARTS
const MS_MAX = 60_000

const isC = isThere('cc')
const isPython = isThere('python3')
const able = (title: string, isAble: boolean, body: () => Promise<void>): void => {
  if (isAble) test(title, body, MS_MAX)
  else test.skip(title, 'there is no compiler of C, or no Python')
}

/** A directory for a page and its count. */
const placeIn = (base: string, name = 'registers'): string => {
  const directory = join(base, name)
  mkdirSync(directory, { mode: 0o700 })
  emptyCount(directory)
  return directory
}

const pageIn = (directory: string): Uint8Array => readFileSync(join(directory, PAGE_FILE))

const assertClean = (name: string, pages: number, it: Counted): void => {
  assert.equal(it.pages, pages, name)
  assert.deepEqual({ wrong: it.wrong, fell: it.fell }, { wrong: 0, fell: 0 }, name)
  assert.ok(it.behind <= BEHIND_MAX, `${name}: ${it.behind} ticks behind`)
  assert.ok(it.distinct > 1, `${name}: one and the same page`)
}

able('readers beside a writer at full speed: no page of two moments, none that is old', isC && isPython, async () => {
  using dir = tempDir()
  const directory = placeIn(dir.path)
  const [mapped, pread] = [cReader(dir.path), cReader(dir.path, { flags: ['-DTICKMESH_PREAD'] })]
  using source = writer(directory, 1)
  await source.says('begins')
  using first = running(mapped, 'whole', directory, `${PAGES_C}`)
  using second = running(pread, 'whole', directory, `${PAGES_C}`)
  using third = pythonReader(directory, PAGES_PYTHON)
  const counted = await Promise.all([first, second, third].map(countedBy))
  assertClean('C, mapped', PAGES_C, counted[0] as Counted)
  assertClean('C, by pread', PAGES_C, counted[1] as Counted)
  assertClean('Python', PAGES_PYTHON, counted[2] as Counted)
})

able('readers see a page of two moments where there is one', isC && isPython, async () => {
  using dir = tempDir()
  const directory = placeIn(dir.path)
  const page = emptyPage()
  fillPage(page, 5, 1n)
  putRegister(page, registerIn(pageRegisters, 'seals'), 6 * 7)
  sumPage(page)
  assert.deepEqual([stateOfCopy(page), tickOf(page)], ['whole', undefined])
  writeFileSync(join(directory, PAGE_FILE), page)
  using one = running(cReader(dir.path), 'whole', directory, '10')
  using other = pythonReader(directory, 10)
  for (const { pages, wrong } of await Promise.all([one, other].map(countedBy))) assert.equal(wrong, pages)
})

able('where the word tells nothing, the sum alone keeps pages of two moments out', isC && isPython, async () => {
  using dir = tempDir()
  const directory = placeIn(dir.path)
  using source = writer(directory, 1, 'wordless')
  await source.says('begins')
  using one = running(cReader(dir.path), 'whole', directory, `${PAGES_C}`, `${TORN}`)
  using other = pythonReader(directory, PAGES_PYTHON, TORN)
  for (const it of await Promise.all([one, other].map(countedBy))) {
    assert.ok(it.torn >= TORN)
    assert.equal(it.wrong, 0)
  }
})

able(
  'a node that was killed is told from one that is there, in the middle of a write and between two',
  isC && isPython,
  async () => {
    using dir = tempDir()
    const program = cReader(dir.path)
    const end = join(dir.path, 'end')
    using stack = new DisposableStack()
    const watched = (name: string, part: number) => {
      const directory = placeIn(dir.path, name)
      const source = stack.use(writer(directory, 1, 'when', end, part))
      const begun = source.says('begins').then(async () => {
        const one = stack.use(running(program, 'alive', directory))
        const other = stack.use(running('python3', '-B', join(MADE, 'tickmesh_mmio.py'), directory, 'watch'))
        await one.says('alive')
        return { one, other }
      })
      return { directory, source, begun, state: name }
    }
    const all = [watched('odd', 1), watched('whole', 0)]
    await Promise.all(all.map(({ begun }) => begun))
    writeFileSync(end, '')
    for (const { directory, source, begun, state } of all) {
      assert.equal((await source.ended).status, null)
      assert.equal(stateOfCopy(pageIn(directory)), state)
      const { one, other } = await begun
      assert.deepEqual((await one.ended).lines, ['alive', 'gone'])
      const { status, lines } = await other.ended
      assert.deepEqual([status, lines.at(-1)], [1, 'the node is gone'])
    }
  },
)

able('kill −9 between any two writes: the next writer goes on, and nobody takes a mixed page', isC, async () => {
  using dir = tempDir()
  const directory = placeIn(dir.path)
  const pages = seeded().integer
  const { rounds, reader, isOneFile } = await killRounds({
    directory,
    program: cReader(dir.path),
    count: ROUNDS,
    pages,
  })
  for (const { part, found, due } of rounds) assert.equal(found, due, `part ${part}`)
  assert.equal(rounds.filter(({ due }) => due === 'odd').length, (ROUNDS / PARTS) * 3)
  assert.ok(isOneFile, 'whoever mapped it reads on')
  assertClean('C', reader.pages, reader)
})

able('a program in C asks a node for a mode, is refused, and acknowledges the same bits twice', isC, async () => {
  using dir = tempDir()
  const program = cReader(dir.path)
  const directory = join(dir.path, 'registers')
  const settings = { 'mmio.enabled': true, 'mmio.directory': directory }
  await using it = await testNode({ directory: join(dir.path, 'data'), settings })
  const read = (name: string): RegisterValue => {
    const page = pageIn(directory)
    assert.equal(stateOfCopy(page), 'whole')
    return registerOf(page, registerIn(pageRegisters, name))
  }
  /** Lets ticks go by until a doorbell is answered. @returns the code of what was refused, or `none` */
  const answered = async (doorbell: bigint): Promise<string> => {
    while (read('doorbell_done') !== doorbell) await it.advanceTicks(1)
    return Object.keys(faults)[Number(read('error')) - 1] ?? 'none'
  }
  const ask = (...words: readonly string[]): string => {
    const { status, stdout } = spawnSync(program, [words[0] ?? '', directory, ...words.slice(1)], { encoding: 'utf8' })
    assert.equal(status, 0)
    return stdout.trim()
  }
  await it.advanceTicks(1)
  const error = 1 << interrupts.indexOf('error')
  const raised = (): number => Number(read('irq_status')) & error
  const contributing = ['1', `${modeValues.indexOf('contributing')}`] as const
  assert.equal(ask('ring', ...contributing), 'rang 1')
  assert.equal(await answered(1n), 'NOT_BONDED')
  assert.equal(raised(), error)
  const rooms = roomsOf(it)
  const owner = ownerCaller(rooms)
  assert.ok(owner.kind === 'owner')
  await sealMany(rooms, owner, { count: 1_000, funding: 'paid' })
  await it.node.services.contribution.bond(owner, {})
  assert.equal(ask('ring', ...contributing), 'rang 2')
  assert.equal(await answered(2n), 'none')
  assert.equal(modeValues[Number(read('mode'))], 'contributing')
  ask('acknowledge', `${error}`)
  await it.advanceTicks(1)
  assert.deepEqual([raised(), read('irq_acked')], [0, error])

  // It happens again: the same bits, so the program writes 0 and waits until the node took that.
  ask('ring', '7', '0')
  assert.equal(await answered(3n), 'INVALID_INPUT')
  assert.equal(raised(), error)
  using again = running(program, 'acknowledge', directory, `${error}`)
  let isOver = false
  void again.ended.then(() => {
    isOver = true
  })
  while (!isOver) await it.advanceTicks(1)
  assert.equal((await again.ended).status, 0)
  await it.advanceTicks(1)
  assert.deepEqual([raised(), read('irq_acked')], [0, error])
  const { stdout } = spawnSync(program, ['print', directory], { encoding: 'utf8' })
  assert.match(stdout, /^doorbell_done 3$/m)
  assert.match(stdout, /^same_layout 1$/m)
})

test.run()
