import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '#core/bytes.ts'
import { TICK_NS } from '#core/tick.ts'
import { settleRotation } from '#domain/identity/succession.ts'
import { originHash } from '#domain/network/witness/evidence.ts'
import { verifyBackup } from '#node/backup.ts'
import { fsck, isOutOfReach } from '#node/fsck.ts'
import { settleRestore } from '#store/backup/moves.ts'
import { supersessionsOf } from '#store/eras.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import { newAccount, openRooms, ownerCaller, type Rooms, sealOne } from '../../../test/domain/house.ts'
import { fixedClock, START } from '../../../test/kit/clock.ts'
import { testNode } from '../../../test/kit/node.ts'
import type { Note } from './notes.ts'

/** Past everything that a workload did. */
const LATER = START + 1_000_000n * TICK_NS
const CREDITS = 1_000
/** Where the archives of a workload lie: no data directory. */
const ARCHIVES = 'archives'

/** What an acknowledgement lost, as words; undefined where it stands. */
const lost = async ({ store, keys }: Rooms, note: Note): Promise<string | undefined> => {
  if (note.is === 'envelope') {
    const row = await store.get('envelope', note.token)
    return row?.index === note.index ? undefined : `envelope ${note.token}`
  }
  if (note.is === 'entry') {
    const row = await store.get('machineEntry', keyOf(note.slug, seqKey(note.seq)))
    return row?.hash === note.hash ? undefined : `entry ${note.seq} of ${note.slug}`
  }
  if (note.is === 'head') return lostHead(store, note)
  if (note.is === 'blob') return (await store.get('blob', note.name)) ? undefined : `blob ${note.name}`
  if (note.is === 'account') return (await store.get('account', note.zid)) ? undefined : `account ${note.zid}`
  if (note.is === 'job') return (await store.get('job', note.id)) ? undefined : `job ${note.id}`
  if (note.is === 'synced') {
    const size = (await store.get('foreignLog', note.source))?.size ?? 0
    return size >= note.size ? undefined : `${note.size - size} leaves of ${note.source}`
  }
  if (note.is === 'cosigned') {
    const row = await store.get('witnessed', originHash(note.origin))
    const stands = row !== undefined && (row.size > note.size || (row.size === note.size && row.root === note.root))
    return stands ? undefined : `what was cosigned of ${note.origin} at ${note.size}`
  }
  if (note.is === 'rotated') {
    const stands = supersessionsOf(store).some(
      ({ succession: it }) => it.old_node === note.from && it.new_node === note.to,
    )
    return stands && keys.nodeId !== note.from ? undefined : `the rotation to ${note.to}`
  }
  if (note.is === 'restored') return store.log.size >= note.size ? undefined : 'what was restored'
  if (note.is === 'migrated') return (await store.get('schema', 'version')) === SCHEMA ? undefined : 'the migration'
  return undefined
}

const logsOf = ({ log, events, eras }: Store): readonly SealLog[] => [
  ...[log, events],
  ...eras.flatMap((it) => [it.log, it.events]),
]

/** A head that was shown is the one that stands at its size: another one beside it would be a second history. */
const lostHead = async (store: Store, head: Extract<Note, { is: 'head' }>): Promise<string | undefined> => {
  const log = logsOf(store).find((it) => it.origin === head.origin)
  if (log === undefined || log.size < head.size) return `the head of ${head.origin} at ${head.size}`
  const [root, kept] = [toHex(await log.rootAt(head.size)), await log.checkpointAt(head.size)]
  const stands = root === head.root && kept?.note === head.note
  return stands ? undefined : `A SECOND HISTORY of ${head.origin} at ${head.size}`
}

/** The acknowledgements that stand for a directory, by its path. */
const byDirectory = (notes: readonly Note[]): ReadonlyMap<string, readonly Note[]> => {
  const found = new Map<string, Note[]>()
  let own: Note[] | undefined
  for (const note of notes) {
    const path = note.is === 'directory' || note.is === 'restored' ? note.path : undefined
    if (note.is === 'directory') own = found.get(note.path) ?? []
    if (note.is === 'directory') found.set(note.path, own as Note[])
    else if (path !== undefined) found.set(path, [...(found.get(path) ?? []), note])
    else if (note.is !== 'archive') own?.push(note)
  }
  return found
}

const unclean = async (directory: string, when: string): Promise<readonly string[]> => {
  const { ok, bad } = await fsck({ directory }).catch((cause: unknown) => {
    // A start that was cut off before the first rows: nothing was ever acknowledged there.
    if (isOutOfReach(cause)) return { ok: true, bad: null }
    throw cause
  })
  return ok ? [] : [`fsck ${when} names ${bad?.table} ${bad?.key}: ${bad?.what}`]
}

/** Opens the data as a node does, looks for what was acknowledged, and goes on from there. */
const examineData = async (directory: string, notes: readonly Note[]): Promise<readonly string[]> => {
  await settleRestore(directory)
  await settleRotation(directory)
  const found: string[] = []
  if (existsSync(join(databaseDirectory(directory), 'CURRENT')))
    found.push(...(await unclean(directory, 'after the cut')))
  const clock = fixedClock(LATER)
  {
    await using rooms = await openRooms(directory, clock)
    for (const note of notes) found.push(...[await lost(rooms, note)].filter((it) => it !== undefined))
    const before = rooms.store.log.size
    const { caller, zid } = await newAccount(rooms, 'after')
    await rooms.economy.grant(ownerCaller(rooms), { zid, credits: CREDITS })
    await sealOne(rooms, { caller })
    clock.advanceTicks(1)
    await rooms.store.closeTick()
    const { size, checkpoint } = rooms.store.log
    if (size <= before || checkpoint?.size !== size) found.push('the log does not go on')
    for (const note of notes)
      if (note.is === 'head') found.push(...[await lostHead(rooms.store, note)].filter((it) => it !== undefined))
  }
  found.push(...(await unclean(directory, 'after it went on')))
  return found
}

const examineNode = async (directory: string): Promise<void> => {
  await using it = await testNode({ directory, start: LATER + 10n * TICK_NS })
  await it.advanceTicks(1)
  const { state } = await it.client.call('explorer.status', {})
  if (state !== 'running') throw new Error(`the node is ${state}`)
}

export interface Checking {
  /** What was acknowledged before the cut. */
  readonly notes: readonly Note[]
  /** Whether a whole node is started too. */
  readonly isWhole: boolean
}

/** What a cut directory lost, as words. */
export const lossesIn = async (below: string, { notes, isWhole }: Checking): Promise<readonly string[]> => {
  const found: string[] = []
  for (const note of notes) {
    if (note.is !== 'archive') continue
    const options = { file: join(below, note.file), opening: {}, quick: true }
    const sha256 = await verifyBackup(options).then(
      (it) => it.sha256,
      () => undefined,
    )
    if (sha256 !== note.sha256) found.push(`archive ${note.file}`)
  }
  const told = byDirectory(notes)
  // What is there without a word of it was cut off in its beginning, and takes a start all the same.
  const paths = new Set([...told.keys(), ...readdirSync(below).filter((it) => it !== ARCHIVES)])
  for (const path of paths) {
    const own = told.get(path) ?? []
    const directory = join(below, path)
    try {
      found.push(...(await examineData(directory, own)))
      if (isWhole) await examineNode(directory)
    } catch (cause) {
      found.push(`${path} does not open: ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`)
    }
  }
  return found
}
