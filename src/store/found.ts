import { assert } from '#core/assert.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { signCheckpointWith } from '#core/checkpoint.ts'
import { eventLeaf, signEventWith } from '#core/events.ts'
import { nodeIdOf, type Signer } from '#core/keys.ts'
import { type ProvenSuccession, type Succession, signSuccession, successionLeaf } from '#core/succession.ts'
import type { Change } from './database.ts'
import type { Durable } from './durable.ts'
import { ERAS_MAX, eraRows, foundedOf } from './eras.ts'
import { seqKey } from './key-parts.ts'
import { emptyLogState, extensionOf, type GrowingLog } from './merkle-log.ts'
import type { CommitMoment } from './overlay.ts'
import type { GenesisRow } from './rows/basis.ts'
import { type EraRow, withClaim } from './rows/era.ts'
import { type CheckpointRow, checkpointKey, type LogName, type LogState, placeOf } from './rows/log.ts'

/** What comes after the present era. */
export type Founding =
  /** Another key takes the place of the present one; both sign it. Node ticks count on. */
  | { readonly kind: 'succession'; readonly signer: Signer; readonly reason: string }
  /**
   * The present logs cannot be continued, because the world has seen more of them than is here: a leaf or a signature
   * more would be a second history. They stay as they are, and the same key begins others under a new number.
   */
  | { readonly kind: 'rolled-back'; readonly node: string }

/** What was founded. */
export interface Founded {
  readonly node: string
  /** Number of the era that begins. */
  readonly era: number
  /** The number in the names of its logs. */
  readonly founded: number
  readonly succession: ProvenSuccession | undefined
}

/** The event that says it to all: the proof, and where the old event log ends. */
const eventOf = (
  { proven, seq, meshTick }: { readonly proven: ProvenSuccession; readonly seq: number; readonly meshTick: number },
  ends: { readonly origin: string; readonly size: number; readonly root: string },
  signer: Signer,
): Promise<Uint8Array> => {
  const payload = { ...proven, events: ends } as unknown as Json
  const sourceNodeId = nodeIdOf(signer.publicKey)
  const unsigned = { v: 1, type: 'succession', sourceNodeId, seq, tick: meshTick, payload } as const
  return signEventWith(signer, unsigned).then(eventLeaf)
}

/** Appends the last leaf of a log, and signs the tree that it completes. */
const close = async (log: GrowingLog, leaf: Uint8Array, { signer, tick }: { signer: Signer; tick: number }) => {
  const extension = log.extend([leaf], null)
  const { size, root } = extension.state
  const note = await signCheckpointWith({ origin: log.origin, size, root: fromHex(root) }, signer)
  // It is made somewhere inside its tick, which is what `late` says.
  const row: CheckpointRow = { size, root, note, tick, madeTick: tick, late: true }
  const changes: Change[] = [...extension.changes, { table: 'checkpoint', key: checkpointKey(log.name, size), row }]
  return { changes, state: extension.state, note }
}

interface Ended {
  readonly changes: readonly Change[]
  readonly logs: Readonly<Record<LogName, LogState>>
  readonly node: string
  readonly succession: ProvenSuccession | undefined
  /** What the new logs begin with. */
  readonly begun: { readonly changes: readonly Change[]; readonly logs: Readonly<Record<LogName, LogState>> }
}

const succeed = async (
  { database, logs, signer: old }: Durable,
  { tick, meshTick }: CommitMoment,
  { signer, reason, era }: Extract<Founding, { kind: 'succession' }> & { readonly era: number },
): Promise<Ended> => {
  const { seal, events } = logs
  const node = nodeIdOf(signer.publicKey)
  const { size, root } = seal.state
  const succession: Succession = {
    ...{ old_node: nodeIdOf(old.publicKey), new_node: node, origin: seal.origin, size, root },
    ...{ reason, mesh_tick: meshTick },
  }
  // The path of the last leaf is the edge that stood before it, from the lowest subtree up.
  const path = seal.edge().toReversed().map(toHex)
  const closed = await close(seal, successionLeaf(succession), { signer: old, tick })
  const [old_signature, new_signature] = [
    await signSuccession(old, succession),
    await signSuccession(signer, succession),
  ]
  const proven: ProvenSuccession = { succession, old_signature, new_signature, note: closed.note, path }
  const ends = { origin: events.origin, size: events.size, root: events.root }
  const last = await eventOf({ proven, seq: events.size, meshTick }, ends, old)
  const closedEvents = await close(events, last, { signer: old, tick })
  // What was heard of the old key before, from whoever else has it, stands beside this.
  const heard = await database.get('successor', succession.old_node)
  const known = (await database.get('successorCount', 'all')) ?? 0
  const own: Change[] = [
    { table: 'successor', key: succession.old_node, row: withClaim(heard, proven, ends.size) },
    { table: 'successorCount', key: 'all', row: heard === undefined ? known + 1 : known },
  ]
  const first = await eventOf({ proven, seq: 0, meshTick }, ends, signer)
  // The node that starts on the new event log signs its first leaf when the tick is over.
  const begun = extensionOf({ name: placeOf('events', era) }, [first], tick)
  return {
    changes: [...closed.changes, ...closedEvents.changes, ...own],
    logs: { seal: closed.state, events: closedEvents.state },
    node,
    succession: proven,
    begun: { changes: begun.changes, logs: { seal: emptyLogState(), events: begun.state } },
  }
}

/** Leaves a log behind as it is: what waits for the end of a tick goes into the next one. */
const leave = async ({ database, logs }: Durable, node: string): Promise<Ended> => {
  let openTick: number | null = null
  for await (const _ of database.range('due', { limit: 1 })) openTick = logs.seal.state.openTick
  return {
    changes: [],
    logs: { seal: logs.seal.state, events: logs.events.state },
    node,
    succession: undefined,
    begun: { changes: [], logs: { seal: { ...emptyLogState(), openTick }, events: emptyLogState() } },
  }
}

const assertClosed = ({ logs }: Durable): void => {
  for (const { state, checkpoint } of Object.values(logs)) {
    assert(state.openTick === null && state.size === (checkpoint?.size ?? 0), 'every leaf is under a checkpoint')
  }
}

/**
 * Ends the present era and begins the next in one batch: on disk stands the old one, or the new one, never half. For a
 * succession every leaf must be under a checkpoint; nothing else may be writing, and the store that this belongs to
 * can only be closed afterwards.
 */
export const foundSuccessor = async (durable: Durable, genesis: GenesisRow, founding: Founding): Promise<Founded> => {
  const { database, lastTick, transfers } = durable
  const now = durable.moment(lastTick)
  assert(!now.behind, 'the clock is not behind')
  const number = (await eraRows(database)).length
  assert(number < ERAS_MAX, 'one more era is within the bound')
  if (founding.kind === 'succession') assertClosed(durable)
  const ended =
    founding.kind === 'succession'
      ? await succeed(durable, now, { ...founding, era: number + 1 })
      : await leave(durable, founding.node)
  const { node, succession, begun } = ended
  const { mesh_tick } = genesis
  const before = foundedOf(genesis)
  const era: EraRow = {
    ...{ node: genesis.node, founded: before, logs: ended.logs, ended_mesh_tick: now.meshTick },
    succession: succession ?? null,
  }
  // Another key's logs have other names already; those of the same key need a number that none had before.
  const renamed: Pick<GenesisRow, 'founded'> =
    succession === undefined ? { founded: Math.max(now.meshTick, before + 1) } : {}
  const state = { lastTick: Math.max(lastTick, now.tick), transfers, logs: begun.logs }
  await database.write([
    ...ended.changes,
    ...begun.changes,
    { table: 'era', key: seqKey(number), row: era },
    { table: 'genesis', key: 'genesis', row: { mesh_tick, node, ...renamed } },
    { table: 'writer', key: 'state', row: state },
  ])
  return { node, era: number + 1, founded: renamed.founded ?? mesh_tick, succession }
}
