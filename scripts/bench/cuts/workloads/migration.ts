import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { verifyBackup } from '#node/backup.ts'
import { silentLog } from '#node/log.ts'
import { backupsDirectory } from '#node/storage.ts'
import { migrationOf } from '#node/upgrade.ts'
import { openDatabase } from '#store/database.ts'
import { databaseDirectory } from '#store/lock.ts'
import { openStore } from '#store/open.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { newAccount, openRooms, ownerCaller, sealOne } from '../../../../test/domain/house.ts'
import { fixedClock } from '../../../../test/kit/clock.ts'
import { expectedOf, fixtures, unpack } from '../../../../test/store/fixtures.ts'
import { tell } from '../notes.ts'
import { tellHeads, type Workload } from '../workload.ts'

const CREDITS = 1_000

const olderFixtures = (): readonly string[] => fixtures().filter((name) => expectedOf(name).schema < SCHEMA)

/** Where migrated data stand, the archive that preceded the migration stands too. */
const examineOne = async (below: string, name: string): Promise<readonly string[]> => {
  const directory = join(below, name)
  let version: number | undefined
  {
    await using database = await openDatabase(databaseDirectory(directory), false)
    version = await database.get('schema', 'version')
  }
  if (version === expectedOf(name).schema) return []
  const folder = backupsDirectory(directory)
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((it) => it.startsWith('before-schema-'))
  for (const file of files) {
    const whole = await verifyBackup({ file: join(folder, file), opening: {}, quick: true }).catch(() => undefined)
    if (whole !== undefined) return []
  }
  return [`${name} has schema ${version} and no archive of before`]
}

/** Brings up the stores that older releases left, with the archive before, and goes on in them. */
export const migration: Workload = {
  name: 'migration',
  cuts: 150,
  size: 1,
  async prepare(below) {
    for (const name of olderFixtures()) {
      mkdirSync(join(below, name))
      await unpack(name, join(below, name))
    }
  },
  async run(below) {
    for (const name of olderFixtures()) {
      const { logs, stopped_ns } = expectedOf(name)
      const directory = join(below, name)
      const clock = fixedClock(BigInt(stopped_ns))
      tell({ is: 'directory', path: name })
      for (const { origin, signed, root, size, note } of Object.values(logs)) {
        if (note !== null && signed === size) tell({ is: 'head', origin, size, root, note })
      }
      {
        const migrations = migrationOf({ directory, backup: true, log: silentLog })
        const { signer } = openNodeKeys(directory)
        await using _ = await openStore({ directory, clock, signer, migration: migrations })
        tell({ is: 'migrated', schema: SCHEMA })
      }
      await using rooms = await openRooms(directory, clock)
      const { caller, zid } = await newAccount(rooms, name)
      await rooms.economy.grant(ownerCaller(rooms), { zid, credits: CREDITS })
      const { token_id: token, index } = await sealOne(rooms, { caller })
      tell({ is: 'envelope', token, index })
      clock.advanceTicks(1)
      await rooms.store.closeTick()
      tellHeads(rooms.store)
    }
  },
  async examine(below) {
    return (await Promise.all(olderFixtures().map((it) => examineOne(below, it)))).flat()
  },
}
