/*
 * Goal: kill −9 between a mint and its commit loses nothing that was acknowledged and mints nothing twice: after each
 * restart on the same directory chain, ledger and rows agree, and as much is issued as ticks have brought. Method: a
 * child mints and moves units until it is killed, some rounds on one directory; then the directory is read here.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { fsck } from '#store/fsck/fsck.ts'
import { fixedClock, START } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { openHouse } from '../house.ts'
import { passTicks } from './tally-kit.ts'

const test = suite('machines: mints under kill −9')
const CHILD = fileURLToPath(new URL('mint-child.ts', import.meta.url))
const ROUNDS = 3
const viewer = { kind: 'anonymous', bucket: 'x' } as const

/** Runs a child until it has said so many lines, then kills it. @returns the last numbers that it said */
const killed = async (directory: string, begin: number, lines: number) => {
  const child = spawn(process.execPath, [CHILD, directory, String(begin)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const complained = text(child.stderr)
  let said = ''
  child.stdout.on('data', (piece: Buffer) => {
    said += piece.toString('utf8')
    if (said.split('\n').length > lines) child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  assert.deepEqual([code, signal], [null, 'SIGKILL'], await complained)
  const last = (word: string): number =>
    Number(
      said
        .split('\n')
        .findLast((it) => it.startsWith(`${word} `))
        ?.slice(5),
    )
  return { ticks: last('tick'), issued: last('mint') }
}

test('some rounds on one directory', async () => {
  using dir = tempDir()
  const random = seeded()
  let begin = 0
  for (let round = 0; round < ROUNDS; round++) {
    const seen = await killed(dir.path, begin, random.integer(20, 200))
    assert.equal((await fsck({ directory: dir.path })).bad, null)
    const clock = fixedClock(START)
    clock.advanceTicks(seen.ticks + 2)
    await using house = await openHouse(dir.path, clock)
    await passTicks(house, 1)
    const found = await house.machines.verifyTally({ caller: viewer, slug: 'pump' })
    assert.deepEqual([found.valid, found.ledger, found.message], [true, 'equal', null])
    assert.ok((found.issued ?? 0) >= seen.issued, 'what was acknowledged stands')
    const set = house.machines.token({ caller: viewer, slug: 'pump' }, false)
    assert.equal((await set).mint?.amount, 3)
    const { since } = house.store.peek('tokenMint', house.store.peek('machine', 'pump')!.id_hash.slice(0, 16))!
    assert.equal(since, Math.floor(house.store.now().meshTick / 2) * 2)
    begin = seen.ticks + 4
  }
}, 120_000)

test.run()
