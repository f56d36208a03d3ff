import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { reaches } from '#domain/credentials/standing.ts'
import { standingOf } from '#domain/machines/roles.ts'
import type { ChannelHeadRow, ChannelRow, ChannelStatus } from '#store/rows/channel.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { type ChannelProgram, channelProgram } from './inputs.ts'
import { CHANNELS_MAX, CHANNELS_PER_OWNER_MAX } from './types.ts'

/** How far a caller must reach: to see a channel, to spend by its ticks, or to say what it is. */
export type ChannelNeed = 'read' | 'tick' | 'owner'

/** A channel and where it stands. */
export interface StandingChannel {
  readonly row: ChannelRow
  readonly head: ChannelHeadRow
}

/** Whether a channel ticks by itself: one that starves goes on by itself too, once there are credits. */
export const isTicking = ({ row, head: { status } }: StandingChannel): boolean =>
  row.autotick && (status === 'open' || status === 'starved')

/** Some of the channels of an account. */
export interface ChannelWindow {
  readonly limit: number
  readonly offset: number
  /** Only those that stand so. */
  readonly status?: ChannelStatus | undefined
}

/** Where channels are kept: in the store, and in memory as they are durable. */
export interface ChannelStore {
  readonly size: number
  /** The channels of the node, in no order. */
  all(): Iterable<StandingChannel>
  peek(id: string): StandingChannel | undefined
  /** Channels of an owner, newest first, and how many there are in all. */
  ofOwner(owner: string, window: ChannelWindow): { readonly total: number; readonly rows: readonly StandingChannel[] }
  /** The channel of an id, for a caller who reaches so far. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
  find(id: string, caller: Caller, need: ChannelNeed): StandingChannel
  /** Its inputs, compiled. */
  program(row: ChannelRow): ChannelProgram
  /** Asks whether an owner may have one more. @throws Fault CAPACITY_EXCEEDED */
  assertRoom(owner: string): void
  nextNumber(): number
  put(tx: Transaction, it: StandingChannel): void
  /** Where it stands alone, as each tick leaves it. */
  putHead(tx: Transaction, row: ChannelRow, head: ChannelHeadRow): void
}

const absent = (): Fault => new Fault('NOT_FOUND', 'No such channel, or none this caller may see.')

const beyond = (need: ChannelNeed): Fault =>
  need === 'owner'
    ? new Fault('SCOPE_REQUIRED', 'Only the account that owns the channel may do this.', { scope: 'account' })
    : new Fault('SCOPE_REQUIRED', 'Ticks are paid by the owner: this takes its key, or the key of the channel.', {
        scope: 'write',
      })

/** What a caller may do with a channel; undefined where it is not there for the caller. */
const reachOf = (store: Pick<Store, 'peek'>, row: ChannelRow, caller: Caller): ChannelNeed | undefined => {
  if (caller.kind === 'channel') return caller.channel === row.id ? 'tick' : undefined
  const isAccount = caller.kind === 'account' || caller.kind === 'owner'
  if (isAccount && caller.zid === row.owner) return 'owner'
  const machine = store.peek('machine', row.slug)
  if (machine === undefined) return undefined
  const standing = standingOf({ get: store.peek }, machine, caller)
  const spends = caller.kind === 'machine' && caller.zid === row.owner && reaches(standing, 'operator')
  if (spends) return 'tick'
  return machine.is_public || reaches(standing, 'viewer') ? 'read' : undefined
}

const order = ['read', 'tick', 'owner'] as const

/** Ids of channels by their owner, in the order in which they were made; whoever adds them keeps to it. */
const createOwned = (standing: ReadonlyMap<string, StandingChannel>) => {
  const owned = new Map<string, string[]>()
  return {
    count: (owner: string): number => owned.get(owner)?.length ?? 0,
    add: ({ id, owner }: ChannelRow): void => {
      const own = owned.get(owner)
      if (own === undefined) owned.set(owner, [id])
      else own.push(id)
    },
    page: (owner: string, { limit, offset, status }: ChannelWindow) => {
      const own = owned.get(owner) ?? []
      const isWanted = (id: string): boolean => standing.get(id)?.head.status === status
      const some = status === undefined ? own : own.filter(isWanted)
      const end = Math.max(0, some.length - offset)
      const ids = some.slice(Math.max(0, end - limit), end).toReversed()
      return { total: some.length, rows: ids.flatMap((id) => standing.get(id) ?? []) }
    },
  }
}

/** Reads the channels of a node. */
export const openChannelStore = async (store: Store): Promise<ChannelStore> => {
  const standing = new Map<string, StandingChannel>()
  const programs = new WeakMap<ChannelRow, ChannelProgram>()
  const owned = createOwned(standing)
  let number = 0

  const set = (it: StandingChannel): void => {
    const { id } = it.row
    if (!standing.has(id)) owned.add(it.row)
    standing.set(id, it)
  }
  const heads = new Map<string, ChannelHeadRow>()
  for await (const [id, head] of store.range('channelHead')) heads.set(id, head)
  const found: StandingChannel[] = []
  for await (const [id, row] of store.range('channel')) {
    const head = heads.get(id)
    if (head === undefined) throw new Error(`channel ${id} has no place to stand`)
    found.push({ row, head })
    number = Math.max(number, row.number + 1)
  }
  for (const it of found.toSorted((a, b) => a.row.number - b.row.number)) set(it)

  return {
    get size() {
      return standing.size
    },
    all: () => standing.values(),
    peek: (id) => standing.get(id),
    ofOwner: owned.page,
    find: (id, caller, need) => {
      const it = standing.get(id)
      const reach = it === undefined ? undefined : reachOf(store, it.row, caller)
      if (it === undefined || reach === undefined) throw absent()
      if (order.indexOf(reach) < order.indexOf(need)) throw beyond(need)
      return it
    },
    program: (row) => {
      const it = programs.get(row) ?? channelProgram(row.inputs, row.oracles)
      programs.set(row, it)
      return it
    },
    assertRoom: (owner) => {
      const [all, own] = [standing.size, owned.count(owner)]
      if (all < CHANNELS_MAX && own < CHANNELS_PER_OWNER_MAX) return
      const limit = all < CHANNELS_MAX ? CHANNELS_PER_OWNER_MAX : CHANNELS_MAX
      throw new Fault('CAPACITY_EXCEEDED', `There are ${limit} channels, and no more are taken.`, { limit })
    },
    nextNumber: () => number++,
    put: (tx, it) => {
      const { row, head } = it
      tx.put('channel', row.id, row)
      tx.put('channelHead', row.id, head)
      tx.onDurable(() => set(it))
    },
    putHead: (tx, row, head) => {
      tx.put('channelHead', row.id, head)
      tx.onDurable(() => set({ row: standing.get(row.id)?.row ?? row, head }))
    },
  }
}
