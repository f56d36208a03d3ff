import { writeSync } from 'node:fs'
import { fixedClock, START } from '../../kit/clock.ts'
import { newAccount, openHouse } from '../house.ts'
import { asWriting, passTicks, sendUnits, tokenHouse } from './tally-kit.ts'

/**
 * Mints and moves units until it is killed: `node mint-child.ts <data directory> <mesh ticks since the start>`. Writes
 * `mint <issued>` straight to the pipe for what was acknowledged, and `tick <ticks>` before each step of its clock.
 */
const [directory = '', begin = '0'] = process.argv.slice(2)
const clock = fixedClock(START)
clock.advanceTicks(Number(begin))
const house = await openHouse(directory, clock)
const slug = 'pump'
const standing = house.store.peek('machine', slug)
const { caller } =
  standing === undefined
    ? await tokenHouse(house, { slug, max_supply: Number.MAX_SAFE_INTEGER, initial: 5 })
    : { caller: undefined }
if (caller !== undefined) {
  await house.machines.setMintRate(asWriting(caller, slug), { amount: 3, per: 'ticks', every: 2 })
}
const { zid: to } = await newAccount(house, `bucket ${process.pid}`)
for (let ticks = Number(begin); ; ticks++) {
  writeSync(1, `tick ${ticks}\n`)
  await passTicks(house, 1)
  const { issued } = house.machines.tokenSupply({ caller: { kind: 'anonymous', bucket: 'x' }, slug })
  writeSync(1, `mint ${issued}\n`)
  await sendUnits(house, slug, to, 1)
}
