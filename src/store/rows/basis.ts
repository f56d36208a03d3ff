import { rowKind } from '#store/row-kind.ts'
import type { LogName, LogState } from './log.ts'

/**
 * Raised with every change that an older release could misread; newer data are refused, older ones brought up by the
 * steps of `migrations`. 2: leaves that are due at the end of a tick, and the tables of events, witnesses and eras.
 * 3: envelopes that move, and what is kept of small ones in one row.
 */
export const SCHEMA = 3

/** Who this node is, and since when. */
export interface GenesisRow {
  /** Mesh tick of the first start here: node ticks count from it, in every era. */
  readonly mesh_tick: number
  /** Node id of the present identity key. */
  readonly node: string
  /** The number in the names of the present logs, where it is not `mesh_tick`. */
  readonly founded?: number
}

/** The writer's own row, rewritten by every batch. */
export interface WriterRow {
  /** Largest node tick in which anything was appended. */
  readonly lastTick: number
  /** Transfers ever posted: the next one's number. */
  readonly transfers: number
  readonly logs: Readonly<Record<LogName, LogState>>
}

/** Which form the data have, whose they are and where they stand. */
export interface BasisRows {
  readonly schema: number
  readonly genesis: GenesisRow
  readonly writer: WriterRow
}

/** The three rows that every store begins with; the walk over the logs begins with them, too. */
export const basis = rowKind<BasisRows>({
  tables: {
    schema: { prefix: 'a', form: 'json', key: 'the word `version`' },
    genesis: { prefix: 'b', form: 'json', key: 'the word `genesis`' },
    writer: { prefix: 'c', form: 'json', key: 'the word `state`' },
  },
  since: { schema: 1, note: 'from the first release on' },
})
