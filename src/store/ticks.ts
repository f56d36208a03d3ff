import { assert } from '#core/assert.ts'
import { fromHex } from '#core/bytes.ts'
import { parseCanonical } from '#core/canonical.ts'
import { signCheckpointWith } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { tickLeaf } from '#core/envelope.ts'
import type { Change } from './database.ts'
import { advanceLogs, type Durable, type Extended, writerRow } from './durable.ts'
import type { Ground } from './ground.ts'
import type { GrowingLog } from './merkle-log.ts'
import type { CommitMoment } from './overlay.ts'
import { type CheckpointRow, checkpointKey, leafKey, logNames } from './rows/log.ts'

/** The tick that a tick leaf states. */
export const tickOf = (leaf: Uint8Array): number => {
  const { tick } = parseCanonical(leaf.subarray(purposes.tick.length + 1)) as { tick: number }
  assert(Number.isSafeInteger(tick), 'a tick leaf states its tick')
  return tick
}

/** What the tick that is over left to be appended, in order of name; bounded by the transactions of one tick. */
const takeDue = async ({ database }: Durable): Promise<{ leaves: Uint8Array[]; changes: Change[] }> => {
  const leaves: Uint8Array[] = []
  const changes: Change[] = []
  for await (const [key, data] of database.range('due')) {
    leaves.push(data)
    changes.push({ table: 'due', key, row: undefined })
  }
  return { leaves, changes }
}

/** Ends the ticks that are over: the leaves before a tick leaf carry its tick. */
const appendTickLeaves = async (durable: Durable, now: CommitMoment): Promise<void> => {
  const { logs, database } = durable
  const extended: Extended = {}
  const taken: Change[] = []
  for (const name of logNames) {
    const { openTick } = logs[name].state
    if (openTick === null || now.tick <= openTick) continue
    const due = name === 'seal' ? await takeDue(durable) : { leaves: [], changes: [] }
    taken.push(...due.changes)
    extended[name] = logs[name].extend([...due.leaves, tickLeaf(openTick)], null)
  }
  const changes = [...taken, ...Object.values(extended).flatMap((it) => it.changes)]
  if (changes.length === 0) return
  await database.write([...changes, writerRow(durable, {}, extended)])
  advanceLogs(durable, extended)
}

/** Signs the durable size of a log whose last leaf is a tick leaf, and stores the note before it is shown. */
const signSize = async (durable: Durable, log: GrowingLog): Promise<boolean> => {
  const { database, signer, moment } = durable
  const { size, root, openTick } = log.state
  if (openTick !== null || size === (log.checkpoint?.size ?? 0)) return false
  const last = await database.get('leaf', leafKey(log.name, size - 1))
  assert(last !== undefined, 'the last leaf is stored')
  const tick = tickOf(last)
  const note = await signCheckpointWith({ origin: log.origin, size, root: fromHex(root) }, signer)
  const madeTick = moment(durable.lastTick).tick
  const row: CheckpointRow = { size, root, note, tick, madeTick, late: madeTick !== tick + 1 }
  const lastTick = Math.max(durable.lastTick, madeTick)
  const change = { table: 'checkpoint', key: checkpointKey(log.name, size), row } as const
  await database.write([change, writerRow(durable, { lastTick })])
  durable.lastTick = lastTick
  log.advanceCheckpoint(row)
  return true
}

/** Whether {@link endTicks} has something to do where the logs stand like this. */
export const areTicksOver = ({ logs }: Durable, states: Ground['states'], now: CommitMoment): boolean =>
  now.held === undefined &&
  logNames.some((name) => {
    const { size, openTick } = states[name]
    return openTick === null ? size !== (logs[name].checkpoint?.size ?? 0) : now.tick > openTick
  })

/** Tick leaves for the ticks that are over, then a checkpoint of each log that has one to sign, unless all is held. */
export const endTicks = async (durable: Durable, now: CommitMoment): Promise<boolean> => {
  if (now.held !== undefined) return false
  await appendTickLeaves(durable, now)
  let made = false
  for (const name of logNames) made = (await signSize(durable, durable.logs[name])) || made
  return made
}
