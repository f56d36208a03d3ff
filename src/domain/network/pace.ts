/** Nodes whose heads, one a tick of each, everybody can be expected to take. */
const NODES_PER_TICK = 128
/** A presence comes so much more rarely than a head. */
const PRESENCE_HEADS = 16
/** How long a node counts that was heard of, in mesh ticks. */
export const HEARD_TICKS = 1_287

/** Mesh ticks from one head of a node to its next, at least, in a mesh of so many nodes. */
export const headEveryTicks = (nodes: number): number => Math.max(1, Math.ceil(nodes / NODES_PER_TICK))

/** Mesh ticks from one presence of a node to its next. */
export const presenceEveryTicks = (nodes: number): number => PRESENCE_HEADS * headEveryTicks(nodes)

/** How many nodes were heard of. */
export interface HeardNodes {
  /** A node was heard of. */
  note(node: string, meshTick: number): void
  /** Nodes heard of in the last 1,287 ticks, and never more than the bound. */
  count(meshTick: number): number
}

/** @param nodesMax ids that are kept; the one heard of longest ago gives way, since ids cost strangers nothing. */
export const createHeard = (nodesMax: number): HeardNodes => {
  /** Node → mesh tick; the one heard of last stands last. */
  const ticks = new Map<string, number>()
  return {
    note: (node, meshTick) => {
      ticks.delete(node)
      ticks.set(node, meshTick)
      if (ticks.size <= nodesMax) return
      const [oldest] = ticks.keys()
      if (oldest !== undefined) ticks.delete(oldest)
    },
    count: (meshTick) => {
      for (const [node, at] of ticks) {
        if (meshTick - at < HEARD_TICKS) break
        ticks.delete(node)
      }
      return ticks.size
    },
  }
}
