import { type ChainVerification, verifyChainFile } from '#core/chain-file.ts'
import { judgeSources } from '#core/contract/attest.ts'
import { type ContractExport, contractExportOf } from '#core/contract/export.ts'
import { provenPast } from '#core/succession.ts'
import { type ReplayedContract, type ReplayOptions, replayContract } from '#numerics/contracts/fire/replay.ts'
import { createTellPage } from '#ui/part/tell-page.ts'

/** What the worker decides again. */
export interface ReplayQuestion {
  readonly file: unknown
  /** The key that is trusted, and the node's earlier ones with their proofs. */
  readonly trusted: string
  readonly past: unknown
}

/** What came of it, and of the chain that its entries are of. */
export interface ReplayedHere extends ReplayedContract {
  readonly chain: { readonly outcome: ChainVerification['outcome']; readonly why: string }
}

const tell = createTellPage<ReplayedHere>()

/** The solvers are large: they come where a definition has a computation. */
const computing = async ({ versions }: ContractExport): Promise<ReplayOptions['recompute']> => {
  if (!JSON.stringify(versions).includes('"compute"')) return () => ({ unavailable: 'no version computes' })
  const { computeInPage } = await import('./recompute-here.ts')
  return computeInPage
}

const replay = async ({ file: given, trusted, past }: ReplayQuestion): Promise<ReplayedHere> => {
  const file = contractExportOf(given)
  const recompute = await computing(file)
  const total = file.rows.length
  const trust = { trusted, successions: provenPast(past) }
  const found = replayContract(file, {
    recompute,
    attested: judgeSources(file, trust),
    onRow: ({ no }) => tell({ kind: 'progress', step: no, steps: total }),
  })
  const { outcome, steps } = verifyChainFile(file.chain, trust)
  const why = steps.find(({ state }) => state !== 'ok')?.detail ?? ''
  return { ...found, chain: { outcome, why } }
}

addEventListener('message', ({ data }: MessageEvent<ReplayQuestion>) => {
  void replay(data).then(
    (found) => tell({ kind: 'found', found }),
    // Out of the promise, so that the page hears of a defect by the worker's own error event.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error
      }),
  )
})
