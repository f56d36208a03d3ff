import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, type Moment, momentAt } from '#core/clock.ts'
import type { Fault } from '#core/fault.ts'
import { nodeIdOf, type Signer } from '#core/keys.ts'
import { genesisAtOrAfter } from '#core/tick.ts'
import { secondsOf } from '#core/time.ts'
import { CorruptRow } from './corrupt-row.ts'
import { type Database, openDatabase } from './database.ts'
import { foundedOf, openEras, originsOf, sealLeaves } from './eras.ts'
import { foundSuccessor } from './found.ts'
import { createLedger } from './ledger.ts'
import { checkWriteAheadLog, mendManifest } from './level-files.ts'
import { databaseDirectory, lockDirectory } from './lock.ts'
import { emptyLogState, type GrowingLog, openLog } from './merkle-log.ts'
import { type MigrateOptions, migrate } from './migrations/migrate.ts'
import type { CommitMoment } from './overlay.ts'
import { type GenesisRow, SCHEMA, type WriterRow } from './rows/basis.ts'
import { type LogName, placeOf } from './rows/log.ts'
import type { SealLog } from './seal-log.ts'
import type { Store } from './store.ts'
import { createWriter } from './writer.ts'

/** Ticks in an hour, rounded up: a clock further behind than this keeps the node from starting. */
export const TICKS_BEHIND_MAX = 4_634

/** The data directory cannot be used, and why. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}

export interface StoreOptions {
  /** The node's data directory; the store locks it and keeps its files in `db` inside. */
  readonly directory: string
  readonly clock: Clock
  /** The identity key: signs checkpoints, and names the logs. */
  readonly signer: Signer
  /** Told how long each write took, fsync included. */
  readonly onWritten?: (seconds: number) => void
  /** How data of an older schema are brought up; without it, they are, and nobody is told. */
  readonly migration?: (database: Database) => MigrateOptions
}

interface Founded {
  readonly fresh: boolean
  readonly genesis: GenesisRow
  readonly state: WriterRow
}

/**
 * Reads what an earlier start left, or writes the first rows. @throws StoreRefused for newer or another node's data.
 */
const found = async (database: Database, node: string, clock: Clock): Promise<Founded> => {
  const version = await database.get('schema', 'version')
  if (version === undefined) {
    // A log without its first rows is a damaged one. To found another in its place would bury it.
    const remains = (await database.get('genesis', 'genesis')) ?? (await database.get('writer', 'state'))
    if (remains !== undefined) throw new CorruptRow('schema', 'version', 'the row is missing')
    const genesis: GenesisRow = { mesh_tick: genesisAtOrAfter(clock.now()), node }
    const logs = { seal: emptyLogState(), events: emptyLogState() }
    const state: WriterRow = { lastTick: 0, transfers: 0, logs }
    await database.write([
      { table: 'schema', key: 'version', row: SCHEMA },
      { table: 'genesis', key: 'genesis', row: genesis },
      { table: 'writer', key: 'state', row: state },
    ])
    return { fresh: true, genesis, state }
  }
  if (version > SCHEMA) {
    throw new StoreRefused(`the data have schema ${version}, and this release knows up to ${SCHEMA}: use a newer one`)
  }
  const genesis = await database.get('genesis', 'genesis')
  const state = await database.get('writer', 'state')
  if (genesis === undefined) throw new CorruptRow('genesis', 'genesis', 'the row is missing')
  if (state === undefined) throw new CorruptRow('writer', 'state', 'the row is missing')
  if (genesis.node !== node) throw new StoreRefused(`the data belong to node ${genesis.node}, and the key to ${node}`)
  return { fresh: false, genesis, state }
}

/**
 * Opens the database of a data directory. Its own lock has the last word: a directory that is shared may hide the other
 * process.
 *
 * @throws CorruptRow for damaged files; StoreRefused when another process has it, or the disk or its rights refuse.
 */
export const openFiles = async (files: string, create: boolean): Promise<Database> => {
  const known = (cause: unknown) => ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
  try {
    return await openDatabase(files, create).catch((cause: unknown) => {
      if (known(cause).code !== 'LEVEL_CORRUPTION' || !mendManifest(files)) throw cause
      return openDatabase(files, create)
    })
  } catch (cause) {
    const { code, message } = known(cause)
    if (code === 'LEVEL_LOCKED') throw new StoreRefused(`${files} is open in another process`)
    if (code === 'LEVEL_CORRUPTION') throw new CorruptRow('file', files, message)
    throw new StoreRefused(`the database in ${files} cannot be opened: ${message}`)
  }
}

const balances = async (database: Database): Promise<readonly (readonly [string, number])[]> => {
  const all: (readonly [string, number])[] = []
  for await (const row of database.range('balance')) all.push(row)
  return all
}

/** A log is born in the tick before its genesis at the earliest, and what it writes there belongs to its tick 0. */
const BIRTH_TICK = -1

/** Whether a clock is behind what is durable. Nothing ever happened before the birth, so a clock there is wrong. */
const isBehind = (tick: number, lastTick: number): boolean =>
  tick < lastTick && !(tick === BIRTH_TICK && lastTick === 0)

/** Leaves of a log in all eras up to the one it belongs to. */
const sizeThrough = (log: SealLog | undefined): number => (log === undefined ? 0 : log.base + log.size)

/** The database, with every write timed. */
const timed = (database: Database, onWritten: (seconds: number) => void): Database => ({
  ...database,
  write: async (changes) => {
    const began = process.hrtime.bigint()
    await database.write(changes)
    onWritten(secondsOf(process.hrtime.bigint() - began))
  },
})

/**
 * Opens the store of a data directory, which is this process's alone until disposal.
 *
 * @throws DirectoryInUse, StoreRefused, CorruptRow; and StoreRefused when the clock is more than an hour behind.
 */
export const openStore = async ({ directory, clock, signer, onWritten, migration }: StoreOptions): Promise<Store> => {
  await using opened = new AsyncDisposableStack()
  opened.use(lockDirectory(directory))
  const files = databaseDirectory(directory)
  // LevelDB would leave a damaged batch out, with what it acknowledged, and say nothing.
  if (existsSync(join(files, 'CURRENT'))) checkWriteAheadLog(files)
  const database = opened.use(await openFiles(files, true))
  const node = nodeIdOf(signer.publicKey)
  await migrate(database, { ...migration?.(database), node })
  const { fresh, genesis, state } = await found(database, node, clock)
  const genesisMeshTick = genesis.mesh_tick

  /** Where the clock stands, before the genesis too. */
  const clockAt = (): Moment => momentAt(clock.now(), genesisMeshTick)
  const now = (): Moment => {
    const moment = clockAt()
    return moment.tick >= 0 ? moment : { instant: moment.instant, tick: 0, meshTick: genesisMeshTick, phase: 0 }
  }
  const behind = state.lastTick - clockAt().tick
  if (behind > TICKS_BEHIND_MAX) {
    throw new StoreRefused(`the clock is ${behind} ticks behind the last durable one: set it right before starting`)
  }
  let held: (() => Fault) | undefined
  const commitMoment = (lastTick: number): CommitMoment => {
    if (isBehind(clockAt().tick, lastTick)) {
      return { tick: lastTick, meshTick: genesisMeshTick + lastTick, phase: 0, behind: true, held }
    }
    const { tick, meshTick, phase } = now()
    return { tick, meshTick, phase, behind: false, held }
  }

  const tick = (): number => now().tick
  const eras = await openEras(database, tick)
  const last = eras.at(-1)
  const base = { seal: sizeThrough(last?.log), events: sizeThrough(last?.events) }
  const { publicKey } = signer
  const origins = originsOf(node, foundedOf(genesis))
  const log = (name: LogName): Promise<GrowingLog> =>
    openLog({
      ...{ database, name: placeOf(name, eras.length), origin: origins[name], publicKey, state: state.logs[name] },
      ...{ base: base[name], ended: false, tick },
    })
  const logs = { seal: await log('seal'), events: await log('events') }
  const ledger = createLedger(await balances(database))
  const measured = onWritten === undefined ? database : timed(database, onWritten)
  const writer = opened.use(createWriter({ database: measured, ledger, logs, state, signer, moment: commitMoment }))
  const resources = opened.move()

  return {
    log: logs.seal,
    events: logs.events,
    genesisMeshTick,
    eras,
    ...sealLeaves(eras, logs.seal),
    fresh,
    now,
    get clockBehind() {
      return isBehind(clockAt().tick, writer.lastTick)
    },
    get failure() {
      return writer.failure
    },
    get held() {
      return held?.()
    },
    hold: (why) => {
      held = why
    },
    commit: writer.commit,
    closeTick: writer.closeTick,
    found: (founding) => writer.end((durable) => foundSuccessor(durable, genesis, founding)),
    get: database.get,
    peek: database.peek,
    range: database.range,
    snapshot: database.snapshot,
    balance: ledger.balance,
    supply: ledger.supply,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
