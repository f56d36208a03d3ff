import type { ResultOf } from '#api/result-of.ts'
import type { ChainFile } from '#core/chain-file.ts'
import type { Entry } from '#core/machine.ts'
import { pause } from '#core/wait.ts'
import type { Client } from '#gateway/client.ts'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'

/** A block as the node shows it. */
export type Block = ResultOf<'machines.explore'>['rows'][number]
type Proved = ResultOf<'machines.block'> & { readonly proof: NonNullable<ResultOf<'machines.block'>['proof']> }

/** Which entry is meant: by its number, or the one that ended a tick. */
export interface EntryRef {
  readonly slug: string
  readonly tick?: number
  readonly seq?: number
}

/** A tick is sealed within two ticks; these attempts take four. */
const SEAL_ATTEMPTS_MAX = 8
const SEAL_WAIT_MS = 400
/** Rows of a page: the most that a node gives. */
const PAGE_ROWS = 200

/** An entry with its proof, waiting for the checkpoint over its tick. @throws CliError `NOT_SEALED` when none comes. */
export const provedBlock = async (client: Client, place: EntryRef, signal: AbortSignal): Promise<Proved> => {
  for (let attempt = 1; ; attempt++) {
    const found = await client.call('machines.block', place, { signal })
    if (found.proof !== null) return found as Proved
    if (attempt >= SEAL_ATTEMPTS_MAX) {
      const message = 'the tick of this entry is not under a checkpoint yet; try again'
      throw new CliError(exits.tryLater, message, { code: 'NOT_SEALED' })
    }
    await pause(SEAL_WAIT_MS, signal)
  }
}

/** Pages of a chain from a number on, oldest first, until there is no more. */
export async function* chainPages(
  client: Client,
  { slug, after, event }: { readonly slug: string; readonly after: number; readonly event?: string },
  signal: AbortSignal,
): AsyncGenerator<readonly Block[]> {
  let last: number | null = after
  while (last !== null) {
    const at: { slug: string; limit: number; after?: number } = { slug, limit: PAGE_ROWS }
    if (last >= 0) at.after = last
    const page: { readonly rows: readonly Block[]; readonly next_after: number | null } =
      event === undefined
        ? await client.call('machines.explore', at, { signal })
        : await client
            .call('machines.events', { ...at, event }, { signal })
            .then(({ events: rows, next_after }) => ({ rows, next_after }))
    yield page.rows
    last = page.next_after
  }
}

/** How a chain is taken out of a node. */
export interface ChainExport {
  readonly slug: string
  /** The chain as it stood at the end of this node tick; now when left out. */
  readonly tick?: number
  readonly signal: AbortSignal
  readonly tell: (entries: number, of: number) => void
}

const tooLong = (bytesMax: number): never => {
  const message = `the chain is longer than the ${bytesMax} bytes of a file; --tick takes its beginning`
  throw new CliError(exits.failure, message, { code: 'CHAIN_TOO_LONG' })
}

/**
 * A machine's chain, from its genesis to a head that the node's log has, as a file that needs no node.
 *
 * @throws CliError `NOT_SEALED`, `CHAIN_TOO_LONG`.
 */
export const exportChain = async (client: Client, { slug, tick, signal, tell }: ChainExport): Promise<ChainFile> => {
  const { machine } = await client.call('machines.read', { slug }, { signal })
  const at = tick ?? machine.head.tick
  const { snapshot } = await client.call('machines.at', { slug, tick: at }, { signal })
  const { proof } = await provedBlock(client, { slug, tick: snapshot.tickNumber }, signal)
  const { head } = proof
  const { CHAIN_FILE_BYTES_MAX, chainFileOf } = await import('#core/chain-file.ts')
  const { entryOfRow } = await import('#core/machine-proof.ts')
  const entries: Entry[] = []
  let bytes = 0
  for await (const page of chainPages(client, { slug, after: -1 }, signal)) {
    for (const block of page) {
      const entry = entryOfRow(block)
      bytes += JSON.stringify(entry).length
      if (bytes > CHAIN_FILE_BYTES_MAX) tooLong(CHAIN_FILE_BYTES_MAX)
      if (entries.length < head.size) entries.push(entry)
    }
    tell(entries.length, head.size)
    if (entries.length >= head.size) break
  }
  const { key_supersessions: past } = await client.call('identity.node', {}, { signal })
  return chainFileOf({ slug, genesis_hash: machine.genesis_hash, entries, proof, past })
}
