import { writeSync } from 'node:fs'
import { nodeClock } from '#node/clock.ts'
import { newAccount, openRooms, ownerCaller, sealOne } from '../domain/house.ts'

/**
 * Seals under load until it is killed: `node kill-child.ts <data directory> <parallel>`. Writes one line per
 * acknowledged envelope, `<index> <token id>`, straight to the pipe, so that what was acknowledged is known even
 * though this process never ends by itself.
 */
const [directory = '', parallel = '16'] = process.argv.slice(2)
const house = await openRooms(directory, nodeClock())
const { caller, zid } = await newAccount(house, `bucket ${process.pid}`)
await house.economy.grant(ownerCaller(house), { zid, credits: 1_000_000_000 })

const seal = async (): Promise<never> => {
  for (let i = 0; ; i++) {
    const row = await sealOne(house, { caller, credits: 3 + (i % 3), published: i % 5 === 0 })
    writeSync(1, `${row.index} ${row.token_id}\n`)
    if (i % 7 === 0) await house.economy.file(caller, { folder: `folder ${i % 3}`, tokenIds: [row.token_id] })
  }
}

const close = async (): Promise<never> => {
  for (;;) {
    await house.store.closeTick()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

writeSync(1, 'ready\n')
await Promise.race([close(), ...Array.from({ length: Number(parallel) }, seal)])
