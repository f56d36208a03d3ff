import { assert } from '#core/assert.ts'
import { eventsLogName, logName } from '#core/ids.ts'
import { publicKeyOf } from '#core/keys.ts'
import type { ProvenSuccession } from '#core/succession.ts'
import { CorruptRow } from './corrupt-row.ts'
import type { Database } from './database.ts'
import { seqKey, seqOf } from './key-parts.ts'
import { type GrowingLog, openLog } from './merkle-log.ts'
import type { GenesisRow } from './rows/basis.ts'
import type { EraRow } from './rows/era.ts'
import { type LogName, placeOf } from './rows/log.ts'
import type { SealLog } from './seal-log.ts'

/** Eras of one directory: each costs a few rows and two open logs. */
export const ERAS_MAX = 1_024

/** A time of this node that is over. */
export interface Era {
  /** Node id of the key that signed in it. */
  readonly node: string
  readonly log: SealLog
  readonly events: SealLog
  /** Mesh tick in which it ended. */
  readonly endedMeshTick: number
  /** Undefined for an era that was left behind. */
  readonly succession: ProvenSuccession | undefined
}

/** A leaf of one of the seal logs of this node, whichever key signed there. */
export interface SealLeaf {
  readonly log: SealLog
  readonly index: number
}

/** Names of the logs of a node, by the number in them. */
export const originsOf = (node: string, founded: number): Readonly<Record<LogName, string>> => ({
  seal: logName(node, founded),
  events: eventsLogName(node, founded),
})

/** The number in the names of the present logs. */
export const foundedOf = ({ mesh_tick, founded }: GenesisRow): number => founded ?? mesh_tick

/** The rows of the eras that are over, oldest first. @throws CorruptRow for a gap. */
export const eraRows = async (database: Pick<Database, 'range'>): Promise<readonly EraRow[]> => {
  const rows: EraRow[] = []
  for await (const [key, row] of database.range('era')) {
    if (seqOf(key) !== rows.length) throw new CorruptRow('era', seqKey(rows.length), 'the row is missing')
    rows.push(row)
  }
  return rows
}

/** Takes up the logs of the eras that are over. @throws CorruptRow when one is not what its row says. */
export const openEras = async (database: Database, tick: () => number): Promise<readonly Era[]> => {
  const eras: Era[] = []
  const base = { seal: 0, events: 0 }
  for (const [number, row] of (await eraRows(database)).entries()) {
    const { node, founded, logs, succession, ended_mesh_tick: endedMeshTick } = row
    const origins = originsOf(node, founded)
    const publicKey = publicKeyOf(node)
    const open = (name: LogName): Promise<GrowingLog> =>
      openLog({
        ...{ database, name: placeOf(name, number), origin: origins[name], publicKey, state: logs[name] },
        ...{ base: base[name], ended: true, tick },
      })
    const [log, events] = [await open('seal'), await open('events')]
    eras.push({ node, log, events, endedMeshTick, succession: succession ?? undefined })
    base.seal += log.size
    base.events += events.size
  }
  return eras
}

/** Finds leaves in the seal logs of all eras by their serial numbers and hashes. */
export const sealLeaves = (eras: readonly Era[], present: SealLog) => {
  const all = [present, ...eras.map((it) => it.log).toReversed()]
  return {
    /** The leaf with a serial number: that of the last era which begins at or before it. */
    leafAt: (serial: number): SealLeaf => {
      const log = all.find((it) => it.base <= serial)
      assert(log !== undefined, 'a serial number counts from 0')
      return { log, index: serial - log.base }
    },
    /** The newest leaf with this hash (hex), or undefined. */
    findLeaf: async (hash: string): Promise<SealLeaf | undefined> => {
      for (const log of all) {
        const index = await log.indexOf(hash)
        if (index !== undefined) return { log, index }
      }
      return undefined
    },
  }
}

/** What was passed on to the present key, oldest first. */
export const supersessionsOf = ({ eras }: { readonly eras: readonly Era[] }): readonly ProvenSuccession[] =>
  eras.map((it) => it.succession).filter((it) => it !== undefined)
