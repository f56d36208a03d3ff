import { existsSync, renameSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Clock } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, publicKeyOf, publicKeyOfSeed, zidOf } from '#core/keys.ts'
import { type ProvenSuccession, REASON_CHARS_MAX } from '#core/succession.ts'
import { meshTickStart } from '#core/tick.ts'
import { NS_PER_MS } from '#core/time.ts'
import type { Sleep } from '#core/wait.ts'
import { randomBytes } from '#crypto'
import { createSigner } from '#ports/signer.node.ts'
import { confirmed, isUnconfirmed } from '#store/backup/unconfirmed.ts'
import { cosignedOf } from '#store/cosigned.ts'
import { ERAS_MAX, originsOf, supersessionsOf } from '#store/eras.ts'
import { checkWriteAheadLog } from '#store/level-files.ts'
import { databaseDirectory, lockDirectory } from '#store/lock.ts'
import { syncDirectory } from '#store/names.ts'
import { openFiles, openStore, StoreRefused } from '#store/open.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import { KeyFileRefused, keyFiles, openNodeKeys, readSecretFile, writeSecretFile } from './node-keys.ts'

/** The key that is to take over, from just before the database says so until just after. */
export const NEXT_KEY_FILE = 'identity.key.next'
const SEED = /^[0-9a-f]{64}$/
const KEY_BYTES = 32
/** After a boundary, so that the clock has surely passed it. */
const AFTER_BOUNDARY_MS = 2
/** Ticks that the end of an era waits for those that are open: one is, or none. */
const CLOSE_TICKS_MAX = 8

/** By key, for what each seal asks. */
const zids = new WeakMap<Uint8Array, string>()

const zidOfKey = (key: Uint8Array): string => {
  const known = zids.get(key)
  if (known !== undefined) return known
  const zid = zidOf(key)
  zids.set(key, zid)
  return zid
}

/**
 * The owner's key: the first identity key of this node. A ZID is the name under which holdings stand, and it belongs
 * for ever to the key that proved it; by its last signature that key made its successor speak for it.
 */
export const ownerKeyOf = (store: Pick<Store, 'eras'>, publicKey: Uint8Array) => {
  const [first] = store.eras
  const key = first === undefined ? publicKey : publicKeyOf(first.node)
  return { zid: zidOfKey(key), publicKey: key }
}

const takeOver = (directory: string): void => {
  const path = join(directory, keyFiles.identity)
  renameSync(join(directory, NEXT_KEY_FILE), path)
  syncDirectory(dirname(path))
}

const nodeOfSeed = (text: string): string => nodeIdOf(publicKeyOfSeed(fromHex(text)))

/** Which node the database belongs to; undefined while it holds nothing. */
const nodeOfData = async (directory: string): Promise<string | undefined> => {
  const files = databaseDirectory(directory)
  if (!existsSync(join(files, 'CURRENT'))) return undefined
  checkWriteAheadLog(files)
  await using database = await openFiles(files, false)
  return (await database.get('genesis', 'genesis'))?.node
}

/**
 * Ends a rotation that was cut off: the database says which key stands, and its file follows. To be called before the
 * keys are read; without a cut it looks for one file and does nothing.
 *
 * @throws DirectoryInUse while a rotation runs; KeyFileRefused, CorruptRow, StoreRefused.
 */
export const settleRotation = async (directory: string): Promise<void> => {
  const path = join(directory, NEXT_KEY_FILE)
  if (!existsSync(path)) return
  using _ = lockDirectory(directory)
  const text = readSecretFile(path)
  if (text === undefined) return
  if (!SEED.test(text)) throw new KeyFileRefused(`${path} does not hold a key of 64 hex digits: move it away`)
  if (nodeOfSeed(text) === (await nodeOfData(directory))) takeOver(directory)
  else unlinkSync(path)
}

/** How a new key takes the place of the old one. */
export interface RotateOptions {
  readonly directory: string
  readonly clock: Clock
  /** Waits, until the signal aborts. */
  readonly sleep: Sleep
  /** Stated in the document that both keys sign. */
  readonly reason: string
  /** The new key's seed; a fresh one when left out. */
  readonly seed?: Uint8Array | undefined
  readonly signal: AbortSignal
}

/** What stands before a rotation, for whoever is to confirm it. */
export interface RotationView {
  readonly old_node: string
  /** Null while no key was chosen. */
  readonly new_node: string | null
  readonly origin: string
  readonly leaves: number
  readonly events: number
  /** Successions before this one. */
  readonly earlier: number
}

const assertData = (directory: string): void => {
  if (!existsSync(join(databaseDirectory(directory), 'CURRENT'))) {
    throw new StoreRefused(`${directory} holds no data of a node: there is no key to rotate`)
  }
}

const assertNewKey = (store: Store, old: string, seed: Uint8Array | undefined): void => {
  if (seed === undefined) return
  const node = nodeIdOf(publicKeyOfSeed(seed))
  if (node === old) throw new KeyFileRefused('the new key is the present one')
  if (store.eras.some((it) => it.node === node)) {
    throw new KeyFileRefused(`the new key is that of ${node}, which was superseded: a key never comes back`)
  }
}

/** Opens the data of a stopped node under its present key. Data of an older schema are its next start's to bring up. */
const openStopped = async ({ directory, clock }: Pick<RotateOptions, 'directory' | 'clock'>) => {
  assertData(directory)
  await settleRotation(directory)
  const keys = openNodeKeys(directory)
  const migration = (): never => {
    throw new StoreRefused(`the data are older than schema ${SCHEMA}: start the node once, and stop it`)
  }
  const store = await openStore({
    directory,
    clock,
    signer: keys.signer,
    migration: () => ({ before: async () => migration() }),
  })
  return { keys, store }
}

/** What a rotation would end; changes nothing but what a start would settle. */
export const viewRotation = async (
  options: Pick<RotateOptions, 'directory' | 'clock' | 'seed'>,
): Promise<RotationView> => {
  const { keys, store } = await openStopped(options)
  await using _ = store
  const { seed } = options
  assertNewKey(store, keys.nodeId, seed)
  return {
    old_node: keys.nodeId,
    new_node: seed === undefined ? null : nodeIdOf(publicKeyOfSeed(seed)),
    origin: store.log.origin,
    leaves: store.log.size,
    events: store.events.size,
    earlier: supersessionsOf(store).length,
  }
}

const isClosed = ({ state, size, checkpoint }: SealLog): boolean =>
  state.openTick === null && size === (checkpoint?.size ?? 0)

/** Waits until every leaf is under a checkpoint. @throws Fault CLOCK_BEHIND, NODE_BUSY */
const closeTicks = async (store: Store, { sleep, signal }: Pick<RotateOptions, 'sleep' | 'signal'>): Promise<void> => {
  for (let tries = 0; tries < CLOSE_TICKS_MAX; tries++) {
    signal.throwIfAborted()
    if (store.clockBehind) throw new Fault('CLOCK_BEHIND')
    await store.closeTick()
    if (isClosed(store.log) && isClosed(store.events)) return
    const { instant, meshTick } = store.now()
    const untilNext = Number((meshTickStart(meshTick + 1) - instant) / NS_PER_MS) + AFTER_BOUNDARY_MS
    await sleep(untilNext, signal)
  }
  throw new Fault('NODE_BUSY', 'The open tick does not end.')
}

/** Whether somebody has shown a note of this key over more than its logs hold. */
const isRolledBack = async ({ log, events, get }: Store): Promise<boolean> => {
  const notes = await Promise.all([log, events].map(({ name }) => get('ownNote', name)))
  return notes.some((it) => it !== undefined)
}

/** Whether the data were put back, somebody had cosigned them, and nobody has been asked since how far they were. */
const isUnasked = (directory: string, store: Store): boolean =>
  isUnconfirmed(directory) &&
  [store.log, store.events].some(({ name }) => Object.keys(cosignedOf(store, name).witnesses).length > 0)

/**
 * Puts a new identity key in the place of the present one, on a stopped node: the succession, signed by both, becomes
 * the last leaf of the old log, and the new key begins logs of its own. One batch decides; whatever ends the process,
 * the next start finds the old node or the new one, whole.
 *
 * The old key's file is overwritten: nothing that it signs from now on counts.
 *
 * @throws DirectoryInUse while the node runs; StoreRefused, KeyFileRefused, CorruptRow; Fault CLOCK_BEHIND,
 * INVALID_INPUT for a reason that is too long.
 */
export const rotateIdentity = async (options: RotateOptions): Promise<ProvenSuccession> => {
  const { directory, reason, signal } = options
  if (reason.length > REASON_CHARS_MAX || !reason.isWellFormed()) {
    throw new Fault('INVALID_INPUT', `A reason has at most ${REASON_CHARS_MAX} characters.`)
  }
  const { keys, store } = await openStopped(options)
  await using _ = store
  assertNewKey(store, keys.nodeId, options.seed)
  if (store.eras.length >= ERAS_MAX) throw new StoreRefused(`a node has at most ${ERAS_MAX} keys one after the other`)
  if (await isRolledBack(store)) {
    throw new StoreRefused(
      `${store.log.origin} was rolled back, so it cannot be ended: begin a new one by keys new-log`,
    )
  }
  if (isUnasked(directory, store)) {
    throw new StoreRefused(
      `the data in ${directory} were put back, and its witnesses not asked since whether they have seen more of ` +
        `${store.log.origin}: start the node once where it reaches them, and stop it`,
    )
  }
  await closeTicks(store, options)
  signal.throwIfAborted()
  const seed = options.seed ?? randomBytes(KEY_BYTES)
  // The key must be on disk before the data are its own, and out of the way of the old one until then.
  writeSecretFile(join(directory, NEXT_KEY_FILE), toHex(seed))
  const { succession } = await store.found({ kind: 'succession', signer: createSigner(seed), reason })
  takeOver(directory)
  if (succession === undefined) throw new Error('a succession was founded without its document')
  return succession
}

/** What a new log was begun beside. */
export interface NewLog {
  readonly node: string
  readonly left: string
  readonly leaves: number
  readonly origin: string
}

/**
 * Begins new logs under the same key, on a stopped node whose log was rolled back: the world holds a note of this key
 * over more than is here, so a leaf more would be a second history. The old log stays as it is and is left behind.
 * Where the data were put back and the witnesses cannot be asked, the owner names the log that is given up.
 *
 * @throws DirectoryInUse while the node runs; StoreRefused for a log that nothing speaks against; Fault CLOCK_BEHIND.
 */
export const beginNewLog = async (
  options: Pick<RotateOptions, 'directory' | 'clock'> & { readonly unconfirmed?: string | undefined },
): Promise<NewLog> => {
  const { directory, unconfirmed } = options
  const { keys, store } = await openStopped(options)
  await using _ = store
  const { log } = store
  const isLost = await isRolledBack(store)
  if (!isLost && isUnconfirmed(directory) && unconfirmed !== log.origin) {
    throw new StoreRefused(
      `the data in ${directory} were put back, and their witnesses not asked since: start the node where it reaches ` +
        `them, or give the log up by its name: --unconfirmed ${log.origin}`,
    )
  }
  if (!isLost && !isUnconfirmed(directory)) {
    throw new StoreRefused(`${log.origin} was not rolled back: nobody has shown more of it than is here`)
  }
  if (store.eras.length >= ERAS_MAX) throw new StoreRefused(`a node has at most ${ERAS_MAX} logs one after the other`)
  if (store.clockBehind) throw new Fault('CLOCK_BEHIND')
  const { node, founded } = await store.found({ kind: 'rolled-back', node: keys.nodeId })
  // Nobody can have seen anything of the new logs.
  confirmed(directory)
  return { node, left: log.origin, leaves: log.size, origin: originsOf(node, founded).seal }
}
