import { Fault } from '#core/fault.ts'

/** Ticks over which bytes are counted: a minute. */
const MINUTE_TICKS = 77
/** Nodes that are counted at once; of those beyond, the one that began first is forgotten. */
const NODES_MAX = 4_096

/**
 * Counts how many bytes each node was given of late.
 *
 * @param bytesMax that one node is given in a minute; the value that goes beyond it is the last.
 */
export const createAllowance = (bytesMax: number, meshTick: () => number) => {
  const spent = new Map<string, { readonly from: number; readonly bytes: number }>()
  return {
    /** Counts what a node is given. @throws Fault NODE_BUSY when it has had its share of this minute */
    spend: (node: string, bytes: number): void => {
      const now = meshTick()
      const known = spent.get(node)
      const { from, bytes: before } =
        known === undefined || now - known.from >= MINUTE_TICKS ? { from: now, bytes: 0 } : known
      if (before >= bytesMax) throw new Fault('NODE_BUSY', `${node} has had its share of this minute.`)
      spent.delete(node)
      spent.set(node, { from, bytes: before + bytes })
      const [oldest] = spent.keys()
      if (spent.size > NODES_MAX && oldest !== undefined) spent.delete(oldest)
    },
  }
}
