import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isRestoring } from '#store/backup/moves.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Database } from '#store/database.ts'
import { eraRows } from '#store/eras.ts'
import { kinds, type Rows } from '#store/layout.ts'
import { checkFiles } from '#store/level-files.ts'
import { DirectoryInUse, databaseDirectory, holderOf } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'
import { openAside } from './database-copy.ts'
import { checkLeftovers, checkSealLeaf } from './envelopes.ts'
import type { SchemasOf } from './kept.ts'
import type { LeafContext } from './leaf-context.ts'
import { checkLedger, readMovements } from './ledger.ts'
import { type CheckedLeaf, checkLog } from './logs.ts'
import { checkDue, checkMachines } from './machines.ts'
import { createMovesCheck } from './moves.ts'
import { createProgress, type ProgressOptions } from './progress.ts'
import type { BadRecord, Counts, Fsck, FsckReport, WitnessKeyState } from './report.ts'
import { checkRows } from './rows.ts'
import { createSignatures } from './signatures.ts'
import { checkEras, leafKeyIn } from './succession.ts'
import { checkWitnessKey } from './witness-key.ts'

export type { FsckReport } from './report.ts'

export interface FsckOptions extends ProgressOptions {
  /** The node's data directory; the node must not be running on it. */
  readonly directory: string
  /** What inputs and outputs are held against their claims by; left out, those of plain computations alone are. */
  readonly schemas?: SchemasOf
}

const noCounts = (): Counts => ({
  rows: 0,
  leaves: { seal: 0, events: 0 },
  checkpoints: 0,
  transfers: 0,
  balances: 0,
  envelopes: 0,
  blobs: 0,
  accounts: 0,
  machines: 0,
  entries: 0,
})

const badOf = (cause: unknown): BadRecord => {
  if (cause instanceof CorruptRow) return { table: cause.table, key: cause.key, what: cause.what }
  return { table: 'database', key: '', what: cause instanceof Error ? cause.message : String(cause) }
}

const checkDatabase = async (fsck: Fsck<Rows>, { directory, schemas }: FsckOptions): Promise<WitnessKeyState> => {
  const { database, counts } = fsck
  const [genesis, writer] = [database.peek('genesis', 'genesis'), database.peek('writer', 'state')]
  if (genesis === undefined) throw new CorruptRow('genesis', 'genesis', 'the row is missing')
  if (writer === undefined) throw new CorruptRow('writer', 'state', 'the row is missing')
  await checkLedger(fsck, writer)
  const eras = await checkEras(fsck, genesis, writer)
  const nodes = [...new Set(eras.map((it) => it.node))]
  const heads = await checkMachines(fsck, nodes)
  const context: Omit<LeafContext, 'signed' | 'signatures'> = {
    ...{ fsck, movements: readMovements(fsck), folders: new Map(), movable: new Map(), timed: { count: 0 }, heads },
    ...{ coins: new Map(), kept: { schemas, count: 0 } },
    moves: createMovesCheck(fsck, await eraRows(database)),
  }
  for (const { node, base, check } of eras) {
    const seal = check('seal')
    const signed = { node, origin: seal.origin, base }
    const signatures = createSignatures()
    const leaves = { ...context, signed, signatures }
    const onLeaf = (leaf: CheckedLeaf): Promise<number | undefined> => checkSealLeaf(leaves, leaf)
    // What is wrong with an earlier leaf is told before what is wrong with a later one.
    await checkLog(fsck, { ...seal, onLeaf, pause: signatures.full }).finally(signatures.done)
    await checkLog(fsck, { ...check('events'), onLeaf: async () => undefined })
  }
  await checkDue(fsck, heads, writer.logs.seal.openTick)
  await checkLeftovers(context, counts.leaves.seal)
  const walked = { leafKeyAt: leafKeyIn(eras) }
  for (const kind of kinds) await kind.check?.(fsck, walked)
  return checkWitnessKey(fsck, directory, nodes)
}

const nodeOf = (database: Database): string | null => {
  try {
    return database.peek('genesis', 'genesis')?.node ?? null
  } catch {
    return null // The report names the row already.
  }
}

/** Refuses what cannot be looked at, without a trace: not even a lock is taken, which a full disk would refuse. */
const assertIdle = (directory: string, files: string): void => {
  if (!existsSync(files)) throw new StoreRefused(`${directory} holds no data of a node`)
  const pid = holderOf(directory)
  if (pid !== undefined) throw new DirectoryInUse(directory, pid)
  if (isRestoring(directory)) {
    throw new StoreRefused(`a restore into ${directory} was cut off: the next start finishes it; check again after it`)
  }
  const lock = statSync(join(files, 'LOCK'), { throwIfNoEntry: false })
  if (lock !== undefined && !lock.isFile()) {
    throw new StoreRefused(`the database in ${files} cannot be opened: its LOCK is no file`)
  }
}

/**
 * Checks a data directory from the bytes of its files to the sums of its ledger, and names the first bad record:
 * sums of LevelDB's blocks and of every row; every leaf and node hashed again; every checkpoint, claim and ledger
 * leaf verified with the node's key; every balance added again; records, indexes, coins and leaves held against each
 * other, both ways; the witness key against what it cosigned. Nothing is written into the directory.
 *
 * @throws DirectoryInUse while a node runs on it; StoreRefused when there is nothing to check, or when it changes
 * meanwhile; the signal's reason.
 */
export const fsck = async (options: FsckOptions): Promise<FsckReport> => {
  const { directory, signal } = options
  const files = databaseDirectory(directory)
  assertIdle(directory, files)
  using aside = openAside(files)
  await using opened = new AsyncDisposableStack()
  const counts = noCounts()
  const { step, watched } = createProgress(options)
  let node: string | null = null
  let bad: BadRecord | null = null
  let witnessKey: WitnessKeyState | null = null
  try {
    checkFiles(files, () => step('files'))
    const database = opened.use(await aside.open())
    node = nodeOf(database)
    await checkRows(database, { counts, step })
    witnessKey = await checkDatabase({ database: watched(database), counts, step }, options)
  } catch (cause) {
    signal?.throwIfAborted()
    // Nothing was looked at: that accuses no record.
    if (cause instanceof StoreRefused) throw cause
    bad = badOf(cause)
  }
  // A node that began meanwhile, or one in another container, whose lock cannot be seen from here.
  if (aside.changed()) throw new StoreRefused(`${files} is written to while it is checked: a process has it open`)
  return { ok: bad === null, bad, node, witness_key: witnessKey, ...counts }
}
