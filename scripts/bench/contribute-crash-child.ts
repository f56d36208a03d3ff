import type { Contribution } from '#domain/network/contribution/types.ts'
import { createRecorder } from '#domain/network/recorder.ts'
import { openRooms, ownerCaller } from '../../test/domain/house.ts'
import { contributionIn, sealMany } from '../../test/domain/network/contribution/kit.ts'
import { jumpingClock } from './jumping-clock.ts'

/*
 * The part of a node that contributes: takes up what the last kill cut off, then bonds, releases and withholds in turn,
 * and says what was acknowledged, until it is killed. Words: data directory, file of the clock, `load` or `resume`
 * (which begins nothing).
 */

/** Envelopes that are free when the work begins: enough for some bonds to fall. */
const FREE = 4_400
const BOND = 1_000
const TICK_MS = 777
const CHALLENGE = 'c'.repeat(64)

const [directory = '', clockFile = '', work = 'load'] = process.argv.slice(2)
const clock = jumpingClock(clockFile)
const rooms = await openRooms(directory, clock)
const { store, economy, keys } = rooms
const owner = ownerCaller(rooms)
if (owner.kind !== 'owner') throw new Error('the link is the owner')

const freeCount = async (): Promise<number> => {
  let free = 0
  for await (const [, { lock }] of store.range('envelope')) if (lock === null) free += 1
  return free
}

/** One bond to its end, which is its release or its fall. */
const cycle = async (contribution: Contribution, falls: boolean): Promise<void> => {
  const { bond } = await contribution.bond(owner, {})
  console.log(`bonded ${bond}`)
  await contribution.setMode(owner, 'contributing')
  if (falls) {
    await contribution.withhold({ bond, challenge: CHALLENGE, ruling: null })
    console.log(`withheld ${bond}`)
    return
  }
  await contribution.release(owner)
  console.log(`released ${bond}`)
  clock.jump()
  await contribution.resume()
  if (store.peek('ownBond', bond)?.state === 'over') console.log(`over ${bond}`)
}

if (work === 'resume') console.log('begins')
const { rows } = await economy.moves.resume()
const contribution = contributionIn(rooms, createRecorder(store, keys.signer))
await contribution.resume()
await rows
if (work === 'load') {
  const missing = Math.max(0, FREE - (await freeCount()))
  const bound = Math.floor(missing / 3)
  await sealMany(rooms, owner, { count: bound, funding: 'free' })
  await sealMany(rooms, owner, { count: missing - bound, funding: 'paid' })
  setInterval(() => void store.closeTick(), TICK_MS)
  console.log('begins')
  // A bond that stands from before is ended first.
  const held = store.peek('contribution', 'own')?.bond
  if (held != null) {
    if (store.peek('bond', held)?.released === null) await contribution.release(owner)
    clock.jump()
    await contribution.resume()
  }
  for (let n = 0; ; n += 1) await cycle(contribution, n % 3 === 2 && (await freeCount()) >= 2 * BOND)
}
// Whoever comes this far waits for the end all the same.
setInterval(() => undefined, 1_000)
