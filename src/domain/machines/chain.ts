import { assert } from '#core/assert.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { type Entry, type Head, headLeaf, sealedEntry } from '#core/machine.ts'
import { type CompactRange, compactRange, leafHash } from '#core/merkle.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { keyOf, type Row, seqKey } from '#store/layout.ts'
import { type MachineEntryRow, type MachineRow, machineNodeKey } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'

/** Entries that one machine takes in a minute of ticks. */
export const WRITES_PER_MINUTE = 600
/** Ticks of a minute, rounded up. */
const MINUTE_TICKS = 78

/** What an entry says, beside its place in the chain. */
export interface ChainLink {
  readonly type: string
  readonly body: Json
  /** The machine's state after it, where it says so. */
  readonly stateHash?: string
  /** The node says it by itself: it is not one of the entries that callers have in a minute. */
  readonly ofNode?: boolean
}

/** Told of every durable entry. */
export type Wake = (slug: string) => void

/** The head of a machine that stands at a row, as its leaf in the node's log says it. */
export const headOf = ({ id_hash }: MachineRow, { size, hash, root }: Row<'machineHead'>): Head => ({
  id_hash,
  seq: size - 1,
  hash,
  size,
  root,
})

const emptyHead = ({ genesis_hash: hash, genesis_tick: tick }: MachineRow): Row<'machineHead'> => ({
  size: 0,
  hash,
  root: '',
  tick,
  edge: [],
  state_hash: null,
  minute: { tick, writes: 0 },
})

const countWrite = ({ minute }: Row<'machineHead'>, tick: number): Row<'machineHead'>['minute'] => {
  if (tick >= minute.tick + MINUTE_TICKS) return { tick, writes: 1 }
  if (minute.writes >= WRITES_PER_MINUTE) {
    const retry_after_seconds = Math.ceil((minute.tick + MINUTE_TICKS - tick) * TICK_SECONDS)
    const detail = `A machine takes ${WRITES_PER_MINUTE} entries a minute.`
    throw new Fault('RATE_LIMITED', detail, { limit: WRITES_PER_MINUTE, retry_after_seconds })
  }
  return { tick: minute.tick, writes: minute.writes + 1 }
}

const total = (tx: Transaction): Row<'machineTotal'> =>
  tx.get('machineTotal', 'all') ?? { entries: 0, machines: 0, public: { active: 0, paused: 0, archived: 0 } }

/**
 * Writes a machine's row; the counts over the node follow. `before` is undefined for a new machine.
 */
export const putMachine = (tx: Transaction, before: MachineRow | undefined, after: MachineRow): void => {
  const { machines, entries, public: shown } = total(tx)
  const next = { ...shown }
  if (before?.is_public === true) next[before.status] -= 1
  if (after.is_public) next[after.status] += 1
  tx.put('machineTotal', 'all', { entries, machines: machines + (before === undefined ? 1 : 0), public: next })
  tx.put('machine', after.slug, { ...after, updated_tick: tx.tick })
}

/** Edges of the trees of heads that this process made, so that they need not be read from their text. */
const edges = new WeakMap<Row<'machineHead'>, readonly Uint8Array[]>()

/**
 * The head after an entry. Its root and edge are worked out when somebody looks: of many entries in one batch only the
 * last one's head is written.
 */
const grown = (
  range: CompactRange,
  { hash, tick, state_hash, minute }: Pick<Row<'machineHead'>, 'hash' | 'tick' | 'state_hash' | 'minute'>,
): Row<'machineHead'> => {
  let root: string | undefined
  const head: Row<'machineHead'> = {
    size: range.size,
    hash,
    get root() {
      root ??= toHex(range.root())
      return root
    },
    tick,
    get edge() {
      return range.hashes().map(toHex)
    },
    state_hash,
    minute,
  }
  edges.set(head, range.hashes())
  return head
}

/**
 * Appends an entry to a machine's chain, and has its head written into the node's log when this tick ends; all of it
 * is in the transaction's batch. Whether the caller may, and whether the machine takes entries, is asked before.
 *
 * @throws Fault RATE_LIMITED, CLOCK_BEHIND, NOT_CANONICAL for a body without a canonical form.
 */
export const appendEntry = (tx: Transaction, machine: MachineRow, link: ChainLink, wake: Wake): MachineEntryRow => {
  const { slug, status } = machine
  const head = tx.get('machineHead', slug) ?? emptyHead(machine)
  assert(tx.tick >= head.tick, 'ticks of a chain never fall')
  const seq = head.size
  const entry: Entry = { seq, previous: head.hash, tick: tx.tick, type: link.type, body: link.body }
  // What names an entry is the hash of its leaf's own bytes: they are made once.
  const { hash, leaf } = sealedEntry(entry)
  const range = compactRange(seq, edges.get(head) ?? head.edge.map(fromHex))
  for (const node of range.append(leafHash(leaf))) {
    tx.put('machineNode', machineNodeKey(slug, node.level, node.index), node.hash)
  }
  const next = grown(range, {
    hash,
    tick: tx.tick,
    state_hash: link.stateHash ?? head.state_hash,
    minute: link.ofNode === true ? head.minute : countWrite(head, tx.tick),
  })
  const row: MachineEntryRow = { entry, hash, state_hash: next.state_hash, status }
  tx.put('machineHead', slug, next)
  tx.put('machineEntry', keyOf(slug, seqKey(seq)), row)
  tx.put('machineTick', keyOf(slug, seqKey(tx.tick)), seq)
  const counts = total(tx)
  tx.put('machineFeed', seqKey(counts.entries), { slug, seq, tick: tx.tick, type: link.type })
  tx.put('machineTotal', 'all', { ...counts, entries: counts.entries + 1 })
  tx.appendAtTickEnd(keyOf('machine', slug), () => headLeaf(headOf(machine, next)))
  tx.onDurable(() => wake(slug))
  return row
}
