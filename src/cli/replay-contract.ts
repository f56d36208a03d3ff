import { verifyChainFile } from '#core/chain-file.ts'
import { judgeSources } from '#core/contract/attest.ts'
import { CONTRACT_EXPORT_BYTES_MAX, type ContractExport, contractExportOf } from '#core/contract/export.ts'
import { parseJson } from '#core/json.ts'
import { namedStep } from '#core/step-titles.ts'
import { computeHere } from '#node/contract-work.ts'
import { type ReplayedContract, replayContract } from '#numerics/contracts/fire/replay.ts'
import type { Invocation } from './command.ts'
import { bytesOf } from './contract-files.ts'
import { readTrust } from './evidence.ts'
import { type Exit, exits, worst } from './exit.ts'
import { STDIN } from './files.ts'
import { present, table } from './io.ts'
import { withProgress } from './progress.ts'

/** What was found of the chain in an export. */
interface ChainFound {
  readonly outcome: 'verified' | 'failed' | 'unchecked'
  readonly said: string
}

const chainOf = ({ chain }: ContractExport, trust: Awaited<ReturnType<typeof readTrust>>): ChainFound => {
  if (chain === null) return { outcome: 'unchecked', said: 'the export has no chain: nothing proves its entries' }
  const { outcome, failing, unchecked, steps } = verifyChainFile(chain, trust)
  const why = steps.find(({ state }) => state !== 'ok')?.detail ?? ''
  if (outcome === 'failed') return { outcome, said: `${namedStep(failing ?? '')} failed: ${why}` }
  if (outcome !== 'verified')
    return { outcome: 'unchecked', said: `could not check ${unchecked.map(namedStep).join(', ')}: ${why}` }
  return { outcome, said: `${chain.entries.length} entries, under the key that you trust` }
}

const differenceText = ({ no, member, recorded, found }: NonNullable<ReplayedContract['differs']>): string =>
  `row ${no} differs in ${member}: it says ${JSON.stringify(recorded)}, and ${JSON.stringify(found)} was found`

const readingsText = ({ attested, node, withheld }: ReplayedContract['readings']): string =>
  `${attested} attested by their source's chain, ${node} by this node's word, ${withheld} withheld`

const described = (found: ReplayedContract, chain: ChainFound): string => {
  const { readings, unavailable } = found
  const facts = table([
    ['chain', chain.said],
    ['rows', `${found.rows}, ${found.decided} of them decided again, ${found.entries} held against their entries`],
    ['computations', `${found.recomputed} done again`],
    ['readings', readingsText(readings)],
    ['by its word', `${found.on_word} refusals for what only the node saw`],
    ['state', `${found.state}, ${JSON.stringify(found.context)}`],
  ])
  const left = unavailable.map(({ no, why }) => `row ${no}: could not be computed again: ${why}`)
  const undecided =
    found.undecided === 0 ? [] : [`${found.undecided} fires could not be decided again: a reading is withheld`]
  const verdict = found.differs === null ? 'every fire comes out the same' : differenceText(found.differs)
  return [facts, ...left, ...undecided, verdict].join('\n')
}

const exitOf = (found: ReplayedContract, chain: ChainFound): Exit => {
  if (found.differs !== null || chain.outcome === 'failed') return exits.verificationFailed
  const isWhole = chain.outcome === 'verified' && found.unavailable.length === 0 && found.undecided === 0
  return worst([isWhole ? exits.ok : exits.couldNotCheck])
}

/** `tickmesh contracts replay`. */
export const replayExport = async ({ args, options, io, signal }: Invocation): Promise<Exit> => {
  const trust = await readTrust(options)
  const bytes = await bytesOf(args[0] ?? STDIN, CONTRACT_EXPORT_BYTES_MAX, signal)
  const file = contractExportOf(parseJson(bytes, CONTRACT_EXPORT_BYTES_MAX))
  const chain = chainOf(file, trust)
  const total = file.rows.length
  const found = await withProgress(io, async (tell) =>
    replayContract(file, {
      attested: judgeSources(file, trust),
      recompute: (order) => computeHere(order, { keyless: false }),
      onRow: ({ no }) => {
        if (no % 64 === 0) tell({ state: 'replaying', fraction: no / total, step: no, steps: total })
      },
    }),
  )
  const exit = exitOf(found, chain)
  const answer = { ok: exit === exits.ok, id: file.id, slug: file.slug, chain, ...found }
  present(io, answer, () => described(found, chain))
  return exit
}
