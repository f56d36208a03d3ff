import { writeSync } from 'node:fs'
import { sleep } from '#core/wait.ts'
import { rotateIdentity } from '#domain/identity/succession.ts'
import { nodeClock } from '#node/clock.ts'
import { newAccount, openRooms, ownerCaller, sealOne } from '../domain/house.ts'

/**
 * Seals a little and rotates the identity key, again and again, until it is killed: `node succession-child.ts
 * <data directory>`. Writes one line per acknowledged rotation, `<old node> <new node>`, straight to the pipe.
 */
const [directory = ''] = process.argv.slice(2)
const { signal } = new AbortController()
for (let round = 0; ; round++) {
  if (round % 4 === 0) {
    await using house = await openRooms(directory, nodeClock())
    const { caller, zid } = await newAccount(house, `bucket ${process.pid} ${round}`)
    await house.economy.grant(ownerCaller(house), { zid, credits: 100 })
    await sealOne(house, { caller, published: true })
    await house.store.closeTick()
  }
  const { succession } = await rotateIdentity({
    directory,
    clock: nodeClock(),
    sleep,
    reason: `round ${round}`,
    signal,
  })
  writeSync(1, `${succession.old_node} ${succession.new_node}\n`)
}
