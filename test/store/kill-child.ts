import { writeSync } from 'node:fs'
import { nodeClock } from '#node/clock.ts'
import { newAccount, openRooms, ownerCaller, sealOne } from '../domain/house.ts'

/**
 * Seals and records under load until it is killed: `node kill-child.ts <data directory> <parallel>`. Writes one line
 * per acknowledged envelope, `<index> <token id>`, or machine entry, `entry <slug> <seq> <hash>`, straight to the pipe,
 * so that what was acknowledged is known even though this process never ends by itself.
 */
const [directory = '', parallel = '16'] = process.argv.slice(2)
const house = await openRooms(directory, nodeClock())
const { caller, zid } = await newAccount(house, `bucket ${process.pid}`)
await house.economy.grant(ownerCaller(house), { zid, credits: 1_000_000_000 })

/** Entries of one machine, below what it takes in a minute. */
const ENTRIES = 300

const seal = async (): Promise<never> => {
  for (let i = 0; ; i++) {
    const row = await sealOne(house, { caller, credits: 3 + (i % 3), published: i % 5 === 0 })
    writeSync(1, `${row.index} ${row.token_id}\n`)
    if (i % 7 === 0) await house.economy.file(caller, { folder: `folder ${i % 3}`, token_ids: [row.token_id] })
  }
}

/** Writes to machines of its own; a machine takes only so many entries a minute. */
const record = async (who: number): Promise<never> => {
  for (let i = 0; ; i++) {
    const slug = `m-${process.pid}-${who}-${i}`
    await house.machines.create(caller, { slug, is_public: i % 2 === 0 })
    for (let n = 0; n < ENTRIES; n++) {
      const writing = { caller, slug, scope: 'test', idempotencyKey: undefined }
      const { answer } = await house.machines.event(writing, { type: 'load', payload: n })
      writeSync(1, `entry ${slug} ${answer.seq} ${answer.hash}\n`)
    }
  }
}

const close = async (): Promise<never> => {
  for (;;) {
    await house.store.closeTick()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

writeSync(1, 'ready\n')
await Promise.race([close(), record(1), record(2), ...Array.from({ length: Number(parallel) }, seal)])
