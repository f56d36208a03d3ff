import { equalBytes, toHex } from '#core/bytes.ts'
import { chainWalk, entryLeaf, genesisHash, headLeaf, machineIdHash } from '#core/machine.ts'
import { compactRange, leafHash } from '#core/merkle.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { keyOf, seqKey, under } from '#store/key-parts.ts'
import type { Row, Rows, TableName } from '#store/layout.ts'
import { type MachineRow, machineNodeKey } from '#store/rows/machine.ts'
import type { Fsck } from './report.ts'

/** Leaf hashes (hex) of the heads that the seal log must hold, with the node tick of each. */
export type DueHeads = Map<string, number>

const refuse = (table: TableName, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

const demand = (holds: boolean, table: TableName, key: string, what: string): void => {
  if (!holds) refuse(table, key, what)
}

/** How many rows there must be for what was walked. */
interface Due {
  nodes: number
  ticks: number
  anchors: number
  zids: number
}

/** A chain hashed again from its genesis: entries, tree, index by tick, and the head of every tick. */
const checkChain = async (
  { database, counts, step }: Fsck<Rows>,
  machine: MachineRow,
  { heads, due }: { readonly heads: DueHeads; readonly due: Due },
): Promise<void> => {
  const { slug, genesis_hash: previous, id_hash, genesis_tick: tick } = machine
  const walk = chainWalk({ seq: 0, previous, tick })
  const range = compactRange()
  let last: Row<'machineEntry'> | undefined
  const endTick = (): void => {
    if (last === undefined) return
    const { entry, hash } = last
    const head = { id_hash, seq: entry.seq, hash, size: range.size, root: toHex(range.root()) }
    heads.set(toHex(leafHash(headLeaf(head))), entry.tick)
    const at = keyOf(slug, seqKey(entry.tick))
    due.ticks += 1
    demand(database.peek('machineTick', at) === entry.seq, 'machineTick', at, 'it does not name the last entry')
  }
  for await (const [key, row] of database.range('machineEntry', under(slug))) {
    step('machines')
    if (!walk.step(row.entry, row.hash)) refuse('machineEntry', key, walk.verdict().broken?.why ?? 'it does not follow')
    if (last !== undefined && row.entry.tick > last.entry.tick) endTick()
    for (const node of range.append(leafHash(entryLeaf(row.entry)))) {
      const at = machineNodeKey(slug, node.level, node.index)
      const stored = database.peek('machineNode', at)
      if (stored === undefined || !equalBytes(stored, node.hash)) refuse('machineNode', at, 'the hash is another one')
      due.nodes += 1
    }
    if (row.entry.type === 'anchor') {
      demand(database.peek('machineAnchor', key) !== undefined, 'machineAnchor', key, 'the row is missing')
      due.anchors += 1
    }
    last = row
    counts.entries += 1
  }
  endTick()
  const head = database.peek('machineHead', slug)
  if (head === undefined || last === undefined) return refuse('machineHead', slug, 'chain or head is missing')
  const edge = range.hashes().map(toHex).join()
  const fits =
    head.size === range.size &&
    head.root === toHex(range.root()) &&
    head.edge.join() === edge &&
    head.hash === last.hash &&
    head.tick === last.entry.tick &&
    head.state_hash === last.state_hash
  demand(fits, 'machineHead', slug, 'it does not say where the chain stands')
  demand(machine.status === last.status, 'machine', slug, 'its status is not that of its chain')
}

const checkMachine = async (
  fsck: Fsck<Rows>,
  machine: MachineRow,
  { nodes, due }: { readonly nodes: readonly string[]; readonly due: Due },
): Promise<void> => {
  const { slug, owner_zid: owner, genesis_tick, nonce, genesis_hash, id_hash } = machine
  const { database } = fsck
  const born = nodes.some((node) => genesisHash({ slug, owner, node, genesis_tick, nonce }) === genesis_hash)
  demand(born, 'machine', slug, 'the genesis hash is another one')
  demand(machineIdHash(slug, genesis_hash) === id_hash, 'machine', slug, 'the id hash is another one')
  const byGenesis = keyOf(seqKey(genesis_tick), slug)
  demand(database.peek('machineByGenesis', byGenesis) === slug, 'machineByGenesis', byGenesis, 'the row is missing')
  const zids = [owner]
  for await (const [key] of database.range('machineMember', under(slug))) zids.push(key.slice(slug.length + 1))
  for (const zid of zids) {
    const at = keyOf(zid, slug)
    demand(database.peek('machineByZid', at) === slug, 'machineByZid', at, 'the row is missing')
    due.zids += 1
  }
  const { kid } = machine
  demand(
    database.peek('machineDataKey', keyOf(slug, kid)) !== undefined,
    'machineDataKey',
    keyOf(slug, kid),
    'it is missing',
  )
}

const checkKeys = async ({ database }: Fsck<Rows>): Promise<void> => {
  let keys = 0
  for await (const [hash, row] of database.range('machineKey')) {
    const at = keyOf(row.slug, row.id)
    demand(hash.startsWith(row.id), 'machineKey', hash, 'the id is another one')
    demand(database.peek('machineKeyOf', at) === hash, 'machineKeyOf', at, 'it does not name its key')
    demand(database.peek('machine', row.slug) !== undefined, 'machineKey', hash, 'its machine is missing')
    keys += 1
  }
  for await (const _ of database.range('machineKeyOf')) keys -= 1
  demand(keys === 0, 'machineKeyOf', '', 'there are more or fewer than keys')
}

const checkCounts = async (fsck: Fsck<Rows>, { nodes, ticks, anchors, zids }: Due): Promise<void> => {
  const { machines } = fsck.counts
  const expected: readonly (readonly [TableName, number])[] = [
    ['machineNode', nodes],
    ['machineTick', ticks],
    ['machineAnchor', anchors],
    ['machineByZid', zids],
    ['machineByGenesis', machines],
    ['machineHead', machines],
    ['machineEntry', fsck.counts.entries],
  ]
  for (const [table, count] of expected) {
    const found = await fsck.database.count(table)
    demand(found === count, table, '', `there are ${found} rows, and ${count} belong there`)
  }
}

const checkFeed = async ({ database, counts }: Fsck<Rows>): Promise<void> => {
  let lines = 0
  for await (const [key, { slug, seq, tick, type }] of database.range('machineFeed')) {
    demand(key === seqKey(lines), 'machineFeed', seqKey(lines), 'the row is missing')
    const entry = database.peek('machineEntry', keyOf(slug, seqKey(seq)))?.entry
    demand(entry?.tick === tick && entry.type === type, 'machineFeed', key, 'it does not name its entry')
    lines += 1
  }
  demand(lines === counts.entries, 'machineFeed', '', `there are ${lines} lines for ${counts.entries} entries`)
}

/**
 * Hashes every machine's chain and tree again from its genesis, and holds its rows against each other.
 *
 * @param nodes whose keys have signed here: a machine is of the one that made it.
 * @returns the heads that the seal logs must hold.
 */
export const checkMachines = async (fsck: Fsck<Rows>, nodes: readonly string[]): Promise<DueHeads> => {
  const { database, counts } = fsck
  const heads: DueHeads = new Map()
  const due: Due = { nodes: 0, ticks: 0, anchors: 0, zids: 0 }
  const shown = { active: 0, paused: 0, archived: 0 }
  for await (const [slug, machine] of database.range('machine')) {
    demand(machine.slug === slug, 'machine', slug, 'the slug is another one')
    await checkMachine(fsck, machine, { nodes, due })
    await checkChain(fsck, machine, { heads, due })
    if (machine.is_public) shown[machine.status] += 1
    counts.machines += 1
  }
  await checkKeys(fsck)
  await checkCounts(fsck, due)
  await checkFeed(fsck)
  const total = database.peek('machineTotal', 'all') ?? { entries: 0, machines: 0, public: shown }
  const counted = { entries: counts.entries, machines: counts.machines, public: shown }
  const same =
    JSON.stringify(counted) === JSON.stringify({ ...counted, ...total, public: { ...shown, ...total.public } })
  demand(same, 'machineTotal', 'all', 'the counts are other ones')
  return heads
}

/** Takes a head leaf off the list of those that must be there, and gives the tick that it carries. */
export const takeHead = (heads: DueHeads, key: string, data: Uint8Array): number => {
  const name = toHex(leafHash(data))
  const tick = heads.get(name)
  if (tick === undefined) return refuse('leaf', key, 'no machine stood there at the end of a tick')
  heads.delete(name)
  return tick
}

/** What is left of the heads must be due when the open tick ends, and nothing else may be. */
export const checkDue = async ({ database }: Fsck<Rows>, heads: DueHeads, openTick: number | null): Promise<void> => {
  for await (const [key, data] of database.range('due')) {
    const tick = takeHead(heads, key, data)
    demand(tick === openTick, 'due', key, 'it was due at the end of another tick')
  }
  demand(heads.size === 0, 'machineHead', '', `${heads.size} heads are missing from the log`)
}
