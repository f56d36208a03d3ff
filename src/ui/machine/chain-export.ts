import { chainFileOf } from '#core/chain-file.ts'
import type { Entry } from '#core/machine.ts'
import { entryOfRow } from '#core/machine-proof.ts'
import { provenPast } from '#core/succession.ts'
import type { PageSession } from '#ui/session.ts'
import { readProof } from './read-proof.ts'

/** Entries that a page takes out of a node: the command line takes longer chains. */
const ENTRIES_MAX = 20_000
/** Rows of a page: the most that a node gives. */
const PAGE_ROWS = 200

export interface ChainOrder {
  readonly session: PageSession
  readonly slug: string
  readonly genesis: string
  /** Entries that are known of. */
  readonly size: number
  readonly signal: AbortSignal
  readonly tell: (entries: number, of: number) => void
}

/**
 * A machine's chain from its genesis to a sealed head, as the file that `tickmesh verify` and the Verify view check.
 *
 * @throws ApiProblem, NodeGone, Error for a chain that is too long, the signal's reason
 */
export const exportChain = async (order: ChainOrder): Promise<Blob> => {
  const { session, slug, genesis, size, signal, tell } = order
  if (size > ENTRIES_MAX) {
    throw new Error(`A page saves ${ENTRIES_MAX} entries. Take: tickmesh machines export ${slug} --out ${slug}.chain`)
  }
  const { proof } = await readProof({ session, slug, seq: size - 1 }, signal)
  const { head } = proof
  const entries: Entry[] = []
  while (entries.length < head.size) {
    const page = { slug, limit: PAGE_ROWS, after: entries.length === 0 ? undefined : entries.length - 1 }
    const { rows } = await session.call('GET /api/chain/{slug}/explore', page, { signal })
    if (rows.length === 0) throw new Error('The chain ended before its head.')
    entries.push(...rows.slice(0, head.size - entries.length).map(entryOfRow))
    tell(entries.length, head.size)
  }
  const file = chainFileOf({ slug, genesis_hash: genesis, entries, proof, past: provenPast(session.past) })
  return new Blob([`${JSON.stringify(file)}\n`], { type: 'application/json' })
}
