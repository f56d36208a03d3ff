import { sourcesBelow } from '#core/contract/sources-below.ts'
import { pause } from '#core/wait.ts'
import type { Client } from '#gateway/client.ts'
import { type ChainExport, exportChain } from './chain.ts'
import { CliError } from './problem.ts'

/** A tick is under a checkpoint less than a second after it ended. */
const TRIES_MAX = 16
const AGAIN_MS = 250

const isUnsealed = (error: unknown): boolean => error instanceof CliError && error.code === 'NOT_SEALED'

/** The chain up to the tick of the newest row, as soon as that tick is under a checkpoint. */
const sealedChain = async (client: Client, order: ChainExport) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await exportChain(client, order)
    } catch (error) {
      if (!isUnsealed(error) || tries === TRIES_MAX) throw error
      await pause(AGAIN_MS, order.signal)
    }
  }
}

/**
 * All that a contract did, with the chain of its machine as far as its newest row: what a replay takes, without a node.
 *
 * @throws CliError `NOT_SEALED`, `CHAIN_TOO_LONG`
 */
export const exportHistory = async (
  client: Client,
  { slug, id, signal, tell }: Omit<ChainExport, 'tick'> & { readonly id: string },
) => {
  const ask = () => client.call('contracts.export', { slug, id, history: true }, { signal })
  const { history } = await ask()
  if (history === undefined) throw new Error('a history was asked for')
  const { unsealed, attested: first, ...said } = history
  const rows = said.rows as readonly { readonly tick: number }[]
  const tick = rows.at(-1)?.tick
  const chain = await sealedChain(client, { slug, signal, tell, ...(tick !== undefined && { tick }) })
  // By now what was read before the newest row is under a checkpoint too.
  const attested = unsealed === 0 ? first : ((await ask()).history?.attested ?? first)
  // With the library of schemas, which a call that is refused does not need.
  const { CONTRACT_EXPORT_FORMAT: format } = await import('#core/contract/export.ts')
  return { format, ...said, attested: sourcesBelow(attested, rows.length), rows, chain }
}
