import { writeSync } from 'node:fs'
import { asking, openComputeHouse } from '../../domain/compute/house.ts'
import { LINE } from '../../domain/compute/reactor-kit.ts'
import { ownerCaller } from '../../domain/house.ts'

/**
 * Steps the one reactor of a directory, which the first of these makes, until it is killed: `node reactor-child.ts
 * <data directory>`. Writes one line per acknowledged step, `<step> <state digest>`, straight to the pipe.
 */
const [directory = ''] = process.argv.slice(2)
const house = await openComputeHouse(directory)
const { reactors } = house.compute
const caller = ownerCaller(house)
await house.economy.grant(caller, { zid: (caller as { zid: string }).zid, credits: 1_000 })
if (reactors.load().reactors === 0) {
  const terms = { solver: 'heat', inputs: LINE, initialState: {}, steps: 80, seal: true, stops: [], observers: [] }
  await reactors.create({ ...terms, slug: undefined }, asking(caller))
}
for (;;) {
  const taken = await reactors.step({}, asking(caller))
  if (taken.kind === 'accepted') throw new Error('a short step is no job')
  const { step, state } = reactors.beside(taken) as { step: number; state: string }
  writeSync(1, `${step} ${state}\n`)
}
