/*
 * Goal: kill −9 under load loses nothing that was acknowledged and leaves a directory that fsck finds whole. Method:
 * a child seals with 16 calls at once on the system clock until it is killed; a few rounds on one directory.
 */
import assert from 'node:assert/strict'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { killRound } from './kill-round.ts'

const test = suite('store: kill −9')
const ROUNDS = 3

test('three rounds on one directory', async () => {
  using dir = tempDir()
  const random = seeded()
  let leaves = 0
  for (let round = 0; round < ROUNDS; round++) {
    const seen = await killRound(dir.path, random.integer(50, 400))
    assert.ok(seen.leaves > leaves, 'the log went on')
    leaves = seen.leaves
  }
}, 60_000)

test.run()
