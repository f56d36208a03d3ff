import { type ChainFile, verifyChainFile } from '#core/chain-file.ts'
import { provenPast } from '#core/succession.ts'
import { replayTally } from '#core/token-ranges.ts'
import type { AccessProps } from './access-props.ts'
import { exportChain } from './chain-export.ts'
import type { Machine } from './machine.ts'

interface Order extends Pick<AccessProps, 'session'> {
  readonly machine: Machine
  readonly signal: AbortSignal
  readonly tell: (entries: number, of: number) => void
}

/** What this browser found, in words. */
export interface TallyHere {
  readonly outcome: 'verified' | 'failed' | 'withheld'
  readonly said: string
}

/**
 * Takes the whole chain, verifies it by the key that this browser trusts, and adds the token up again: the node is
 * believed in nothing.
 *
 * @throws ApiProblem, NodeGone, Error for a chain that is too long, the signal's reason
 */
export const tallyHere = async ({ session, machine, signal, tell }: Order): Promise<TallyHere> => {
  const { slug, genesis_hash: genesis, head } = machine
  const blob = await exportChain({ session, slug, genesis, size: head.size, signal, tell })
  const file = JSON.parse(await blob.text()) as ChainFile
  const found = verifyChainFile(file, { trusted: session.vkey, successions: provenPast(session.past) })
  if (found.outcome !== 'verified') return { outcome: 'failed', said: `The chain does not hold: ${found.failing}.` }
  const { broken, withheld, entries, issued, moved, ranges } = replayTally(file.entries)
  if (broken !== undefined) return { outcome: 'failed', said: `Entry ${broken.seq}: ${broken.why}.` }
  if (withheld > 0) {
    const said = `The chain holds. ${withheld} of ${entries} entries about the token are sealed: no sum is known here.`
    return { outcome: 'withheld', said }
  }
  const sums = `${issued} units were issued, ${moved} have moved, ${ranges.length} ranges`
  const said = `${file.entries.length} entries hold; ${sums}.`
  return { outcome: 'verified', said }
}
