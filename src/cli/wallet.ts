import type { Client } from '#gateway/client.ts'

/** Rows of one call: the most that the node gives. */
const CALL_ROWS = 1_000
/** Envelopes whose homes are counted, the newest. */
const COUNTED_MAX = 5_000

/** How many envelopes come from whose log. */
export interface Homes {
  readonly total: number
  readonly homes: readonly { readonly home: string; readonly count: number }[]
  /** Envelopes that were looked at, and whether they are not all. */
  readonly counted: number
  readonly partial: boolean
}

/** Counts an account's envelopes by home. @throws NodeRefusal, NodeUnreachable, the signal's reason */
export const countHomes = async (client: Client, zid: string, signal: AbortSignal): Promise<Homes> => {
  const counts = new Map<string, number>()
  for (let offset = 0; ; offset += CALL_ROWS) {
    const page = await client.call('economy.envelopes', { zid, limit: CALL_ROWS, offset }, { signal })
    for (const { home } of page.envelopes) counts.set(home, (counts.get(home) ?? 0) + 1)
    const counted = offset + page.envelopes.length
    const over = counted >= page.total || page.envelopes.length === 0
    if (!over && offset + CALL_ROWS < COUNTED_MAX) continue
    const homes = [...counts].map(([home, count]) => ({ home, count })).toSorted((a, b) => b.count - a.count)
    return { total: page.total, homes, counted, partial: !over }
  }
}

/** Whose log a home is, for people. */
export const homeWords = (home: string, node: string): string =>
  home.startsWith(`tickmesh.log/${node}/`) ? `${home} (this node)` : home
