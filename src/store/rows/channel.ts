import type { Json } from '#core/canonical.ts'
import {
  type ChannelGapBody,
  type ChannelTickBody,
  type ChannelWalk,
  channelWalk,
  STREAM_GAP,
  STREAM_TICK,
} from '#core/channel/entries.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { BasisRows } from './basis.ts'
import { dueFault } from './channel-due.ts'
import type { EnvelopeRows } from './envelope.ts'
import type { MachineEntryRow, MachineRows } from './machine.ts'

export type ChannelStatus = 'open' | 'starved' | 'stopped' | 'closed'

/** What a channel is. Where it stands is a row of its own, which each tick writes. */
export interface ChannelRow {
  readonly v: 1
  /** 32 hex digits. */
  readonly id: string
  /** Order in which channels were made on this node. */
  readonly number: number
  /** ZID of who pays and owns what is sealed. */
  readonly owner: string
  /** The machine whose chain holds its entries. */
  readonly slug: string
  readonly id_hash: string
  /** SHA-256 of the key, hex, and the key's id. */
  readonly key_hash: string
  readonly key_id: string
  /** What the key of its links is made of, beside a secret of the node and its id; another one makes links void. */
  readonly link_salt: string
  /** The name of the solver, or what operators. */
  readonly solver: string | null
  /** Name and revision of a solver that is carried on: another one computes other bits. */
  readonly revision: string | null
  readonly operators: readonly string[] | null
  readonly inputs: Readonly<Record<string, Json>>
  readonly mode: 'fresh' | 'continue'
  readonly on_bound: 'stop' | 'restart'
  readonly autotick: boolean
  /** Mesh ticks between due ticks. */
  readonly interval: number
  readonly output_format: 'json' | 'template'
  readonly content_type: string
  readonly template: string | null
  /** Id of the contract that gets an event of each tick. */
  readonly contract: string | null
  readonly oracles: Readonly<Record<string, Json>>
  /** Credits of one tick, and milliseconds that one should take. */
  readonly price: number
  readonly expected_ms: number
  readonly created_mesh: number
  readonly created_tick: number
  readonly updated_tick: number
}

/** The newest sealed tick. */
export interface ChannelHead {
  readonly epoch: number
  readonly count: number
  /** Node tick and mesh tick. */
  readonly tick: number
  readonly mesh_tick: number
  readonly state: string
  readonly value: number | null
  readonly unit: string
  readonly error_pct: number
  /** Errors of the epoch added up, in percent; of a channel that is not carried on, that of the tick. */
  readonly error_sum: number
  readonly token_id: string
  /** Its entry in the machine's chain. */
  readonly seq: number
}

/** Where a channel stands. */
export interface ChannelHeadRow {
  readonly status: ChannelStatus
  readonly epoch: number
  /** Ticks of this epoch, and of all. */
  readonly count: number
  readonly sealed: number
  readonly head: ChannelHead | null
  /** The first due mesh tick that is neither sealed nor said to be missed; null where the clock moves nothing. */
  readonly next_due: number | null
  /**
   * The last due mesh tick that was refused, where all from `next_due` to it were: what no gap says yet. One before
   * `next_due` says nothing; absent before the first refusal, and in rows of releases that did not keep it.
   */
  readonly refused_to?: number
  /** Due ticks that gaps in the chain say. */
  readonly missed: number
  /** Refusals in a row. */
  readonly refusals: number
  readonly last_fault: { readonly code: string; readonly detail: string; readonly mesh_tick: number } | null
  /** Running mean of what a tick takes, in milliseconds; null before the first. */
  readonly took_ms: number | null
}

export interface ChannelRows {
  readonly channel: ChannelRow
  readonly channelHead: ChannelHeadRow
  readonly channelKey: string
  readonly channelState: Uint8Array
}

type ChannelNeeds = ChannelRows &
  Pick<BasisRows, 'genesis'> &
  Pick<MachineRows, 'machine' | 'machineEntry'> &
  Pick<EnvelopeRows, 'envelope'>

type ChainEntry = MachineEntryRow['entry']

/** What the chain of its machine says of a channel. */
interface Told {
  readonly walk: ChannelWalk
  /** The newest entry of a tick, and of a gap. */
  tick?: ChainEntry
  gap?: ChainEntry
}

const demand = (
  holds: boolean,
  { table, key }: { readonly table: keyof ChannelRows; readonly key: string },
  what: string,
): void => {
  if (!holds) throw new CorruptRow(table, key, what)
}

/** Mesh tick that node ticks count from. */
const genesisOf = ({ database }: Fsck<ChannelNeeds>): number => database.peek('genesis', 'genesis')?.mesh_tick ?? 0

/** Takes an entry of a chain that is about a channel. @returns why it cannot stand there, or undefined */
const takeEntry = (told: Told, entry: ChainEntry, genesis: number): string | undefined => {
  const wrong = told.walk.take(entry.type, entry.body)
  if (wrong !== undefined) return wrong
  if (entry.type === STREAM_TICK) told.tick = entry
  if (entry.type !== STREAM_GAP) return undefined
  told.gap = entry
  const { to_mesh } = entry.body as ChannelGapBody
  return to_mesh > genesis + entry.tick ? 'it says that ticks were missed which were still to come' : undefined
}

/** Walks the chain of a machine for all channels whose entries it holds. */
const walkChain = async (
  fsck: Fsck<ChannelNeeds>,
  slug: string,
  channels: ReadonlyMap<string, Told>,
): Promise<void> => {
  const { database, step } = fsck
  const genesis = genesisOf(fsck)
  for await (const [, { entry }] of database.range('machineEntry', under(slug))) {
    step('machines')
    const { channel, token_id } = (entry.body ?? {}) as { readonly channel?: unknown; readonly token_id?: unknown }
    const told = typeof channel === 'string' ? channels.get(channel) : undefined
    if (told === undefined || typeof channel !== 'string') continue
    const wrong = takeEntry(told, entry, genesis)
    const at = { table: 'channel', key: channel } as const
    demand(wrong === undefined, at, `entry ${entry.seq} of its chain: ${wrong}`)
    const sealed = typeof token_id !== 'string' || database.peek('envelope', token_id) !== undefined
    demand(sealed, at, `the envelope that entry ${entry.seq} of its chain names is missing`)
  }
}

/** What stands beside the rows of a channel: its key, and the state that is carried on. */
const checkBeside = ({ database }: Fsck<ChannelNeeds>, row: ChannelRow, { count }: ChannelHeadRow): void => {
  const { id: key, key_hash, mode } = row
  demand(database.peek('channelKey', key_hash) === key, { table: 'channelKey', key: key_hash }, 'it opens another one')
  const carried = database.peek('channelState', key) !== undefined
  demand(carried === (mode === 'continue' && count > 0), { table: 'channelState', key }, 'a state for no tick, or none')
}

/** Whether the newest tick of a channel is in its row what the entry says that was written with it. */
const fitsEntry = (head: ChannelHead, { seq, tick, body }: ChainEntry, genesis: number): boolean => {
  const { value, unit, errorPct, token_id } = body as ChannelTickBody
  const placed = head.seq === seq && head.tick === tick && head.mesh_tick === genesis + tick
  const said = head.value === value && head.unit === unit && head.error_pct === errorPct
  return placed && said && head.token_id === token_id
}

/** When a channel is due, and which due ticks were refused, beside what its chain says of it. */
const checkDue = (row: ChannelRow, head: ChannelHeadRow, { told, genesis }: { told: Told; genesis: number }): void => {
  const { created_mesh, created_tick, updated_tick } = row
  demand(created_mesh === genesis + created_tick, { table: 'channel', key: row.id }, 'it was made at two times')
  const ticks = [created_tick, updated_tick, told.tick?.tick ?? 0, told.gap?.tick ?? 0]
  const set = genesis + Math.max(...ticks)
  const gapTo = (told.gap?.body as ChannelGapBody | undefined)?.to_mesh
  const wrong = dueFault(row, head, { gapTo, set })
  demand(wrong === undefined, { table: 'channelHead', key: row.id }, wrong ?? '')
}

const checkHead = (id: string, it: ChannelHeadRow, { told, genesis }: { told: Told; genesis: number }): void => {
  const at = { table: 'channelHead', key: id } as const
  const { walk, tick } = told
  const { head, sealed, missed, epoch, count } = it
  const newest = walk.head
  demand(head?.epoch === newest?.epoch && head?.count === newest?.count, at, 'it is not the newest entry in the chain')
  demand(head?.state === newest?.state, at, 'its state is not that of the newest entry in the chain')
  const fits = head === null || (tick !== undefined && fitsEntry(head, tick, genesis))
  demand(fits, at, 'what it says of its newest tick is not what the entry in the chain says')
  demand(sealed === walk.sealed, at, `it counts ${sealed} ticks, and the chain has ${walk.sealed}`)
  demand(missed === walk.missed, at, `it counts ${missed} missed ticks, and the chain says ${walk.missed}`)
  const begun = count === 0 ? (newest?.epoch ?? 0) + 1 : newest?.epoch
  demand(
    begun === epoch && (count === 0 || count === newest?.count),
    at,
    'it stands in another epoch or at another count',
  )
}

/**
 * Channels: each walked through the chain of its machine, no tick missing and none doubled, no gap twice and none of
 * what was still to come; head and counts what the newest entries say, due and refused only what can be; envelopes
 * where they are named, and no key or state without its channel.
 */
const checkChannels = async (fsck: Fsck<ChannelNeeds>): Promise<void> => {
  const { database } = fsck
  const genesis = genesisOf(fsck)
  const bySlug = new Map<string, Map<string, Told>>()
  const heads = { channels: 0, states: 0 }
  for await (const [id, row] of database.range('channel')) {
    const at = { table: 'channel', key: id } as const
    demand(row.id === id, at, 'it has another id')
    demand(database.peek('machine', row.slug)?.id_hash === row.id_hash, at, 'its machine is another one')
    const channels = bySlug.get(row.slug) ?? new Map<string, Told>()
    bySlug.set(row.slug, channels.set(id, { walk: channelWalk() }))
  }
  for (const [slug, channels] of bySlug) await walkChain(fsck, slug, channels)
  for (const [id, told] of [...bySlug.values()].flatMap((channels) => [...channels])) {
    const [row, head] = [database.peek('channel', id), database.peek('channelHead', id)]
    if (row === undefined || head === undefined) throw new CorruptRow('channelHead', id, 'the row is missing')
    checkHead(id, head, { told, genesis })
    checkDue(row, head, { told, genesis })
    checkBeside(fsck, row, head)
    heads.channels += 1
    if (row.mode === 'continue' && head.count > 0) heads.states += 1
  }
  const counted = [
    ['channelHead', heads.channels],
    ['channelKey', heads.channels],
    ['channelState', heads.states],
  ] as const
  for (const [table, due] of counted) {
    let found = 0
    for await (const _ of database.range(table)) found += 1
    demand(found === due, { table, key: '' }, 'there are rows of no channel')
  }
}

/** Hosted computations that tick. */
export const channel = rowKind<ChannelRows, ChannelNeeds>({
  tables: {
    channel: { prefix: 'oc', form: 'json', key: 'channel id' },
    channelHead: { prefix: 'oh', form: 'json', key: 'channel id', kept: 'as written' },
    channelKey: { prefix: 'ok', form: 'json', key: 'SHA-256 of its key: channel id' },
    channelState: {
      prefix: 'os',
      form: 'bytes',
      key: 'channel id: JSON of the full inputs that its next tick takes up',
    },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkChannels,
})
