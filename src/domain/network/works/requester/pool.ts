import { toHex, utf8 } from '#core/bytes.ts'
import { type JobName, jobKey } from '#core/work/job.ts'
import { POOL_MAX } from '#core/work/offer.ts'
import { sha256 } from '#crypto'
import type { Store } from '#store/store.ts'

/** Bonds that are looked at for one pool. */
const LOOKED_AT_MAX = 4_096

/**
 * Nodes that may be drawn to rule over a job: those whose bond stood for a while, ascending. Of more than 64 those that
 * a hash of the job draws, so that nobody can be near every job.
 *
 * @param since the bond's event is of this mesh tick or earlier.
 */
export const poolOf = async (store: Store, job: JobName, since: number): Promise<readonly string[]> => {
  const bonded = new Set<string>()
  let seen = 0
  for await (const [, { author, at, released, fallen }] of store.range('bond')) {
    seen += 1
    if (at <= since && released === null && fallen === null) bonded.add(author)
    if (seen === LOOKED_AT_MAX) break
  }
  const nodes = [...bonded].filter((node) => node !== job.requester)
  if (nodes.length <= POOL_MAX) return nodes.sort()
  const drawn = (node: string): string => toHex(sha256(utf8(`${jobKey(job)}/${node}`)))
  return nodes
    .map((node) => ({ node, at: drawn(node) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, POOL_MAX)
    .map(({ node }) => node)
    .sort()
}
