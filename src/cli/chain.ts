import {
  CHAIN_FILE_BYTES_MAX,
  CHAIN_FILE_FORMAT,
  type ChainFile,
  type ChainStep,
  claimedLog,
  judgeLogKey,
} from '#core/chain-file.ts'
import { Fault } from '#core/fault.ts'
import { type Entry, entryHash, entryProofFault, machineIdHash } from '#core/machine.ts'
import type { Client, ResultOf } from '#gateway/client.ts'
import { exits } from './exit.ts'
import { pause } from './pause.ts'
import { CliError } from './problem.ts'

/** A block as the node shows it. */
export type Block = ResultOf<'machines.explore'>['rows'][number]
type Proved = ResultOf<'machines.block'> & { readonly proof: NonNullable<ResultOf<'machines.block'>['proof']> }

/** Which entry is meant: by its number, or the one that ended a tick. */
export interface Place {
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
export const provedBlock = async (client: Client, place: Place, signal: AbortSignal): Promise<Proved> => {
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

/** The hashed form of a block. */
const entryOf = ({ seq, prevHash: previous, tickNumber, transitionType: type, body }: Block): Entry => ({
  seq,
  previous,
  tick: tickNumber,
  type,
  body: body as Entry['body'],
})

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
export interface ExportOrder {
  readonly slug: string
  /** The chain as it stood at the end of this node tick; now when left out. */
  readonly tick?: number
  readonly signal: AbortSignal
  readonly tell: (entries: number, of: number) => void
}

const tooLong = (): never => {
  const message = `the chain is longer than the ${CHAIN_FILE_BYTES_MAX} bytes of a file; --tick takes its beginning`
  throw new CliError(exits.failure, message, { code: 'CHAIN_TOO_LONG' })
}

/**
 * A machine's chain, from its genesis to a head that the node's log has, as a file that needs no node.
 *
 * @throws CliError `NOT_SEALED`, `CHAIN_TOO_LONG`.
 */
export const exportChain = async (client: Client, { slug, tick, signal, tell }: ExportOrder): Promise<ChainFile> => {
  const { machine } = await client.call('machines.read', { slug }, { signal })
  const at = tick ?? machine.head.tick
  const { snapshot } = await client.call('machines.at', { slug, tick: at }, { signal })
  const { proof } = await provedBlock(client, { slug, tick: snapshot.tickNumber }, signal)
  const { head, head_index, head_path, checkpoint } = proof
  const entries: Entry[] = []
  let bytes = 0
  for await (const page of chainPages(client, { slug, after: -1 }, signal)) {
    for (const block of page) {
      const entry = entryOf(block)
      bytes += JSON.stringify(entry).length
      if (bytes > CHAIN_FILE_BYTES_MAX) tooLong()
      if (entries.length < head.size) entries.push(entry)
    }
    tell(entries.length, head.size)
    if (entries.length >= head.size) break
  }
  const { genesis_hash } = machine
  return { format: CHAIN_FILE_FORMAT, slug, genesis_hash, entries, proof: { head, head_index, head_path, checkpoint } }
}

/** One step of judging a block. */
export type BlockStep = Omit<ChainStep, 'step'> & { readonly step: 'key' | 'entry' | 'proof' | 'identity' }

interface Judged {
  readonly block: Proved
  readonly slug: string
  readonly genesisHash: string
  readonly trusted: string | undefined
}

const failed = (step: BlockStep['step'], detail: string): BlockStep => ({ step, state: 'failed', detail })
const held = (step: BlockStep['step'], detail: string): BlockStep => ({ step, state: 'ok', detail })

/** A rule that holds, says why it does not, or cannot even be applied to what is there. */
const judged = (step: BlockStep['step'], rule: () => BlockStep): BlockStep => {
  try {
    return rule()
  } catch (error) {
    if (error instanceof Fault) return failed(step, error.message)
    throw error
  }
}

const judgeEntry = ({ entry, block }: Proved): BlockStep => {
  const hash = entryHash(entry as Entry)
  const same = hash === block.stateHash && hash === entryHash(entryOf(block))
  return same ? held('entry', `Hash ${hash}.`) : failed('entry', 'The entry and the block shown have other hashes.')
}

const judgeProof = ({ entry, proof }: Proved): BlockStep => {
  const why = entryProofFault(entry as Entry, proof, claimedLog(proof.checkpoint).log)
  if (why !== undefined) return failed('proof', why)
  return held('proof', `Entry ${entry.seq} is under the head of entry ${proof.head.seq}, leaf ${proof.head_index}.`)
}

/**
 * Judges a block here, by arithmetic alone: that its checkpoint is of the trusted log, that the entry shown has the
 * hash shown, that it is under the machine's head and that head in the log, and that the machine is the one named.
 */
export const judgeBlock = ({ block, slug, genesisHash, trusted }: Judged): readonly BlockStep[] => {
  const { proof } = block
  const { state, detail } = judgeLogKey(proof.checkpoint, trusted)
  const id = machineIdHash(slug, genesisHash)
  return [
    { step: 'key', state, detail },
    judged('entry', () => judgeEntry(block)),
    judged('proof', () => judgeProof(block)),
    proof.head.id_hash === id
      ? held('identity', `${slug}, id hash ${id}.`)
      : failed('identity', 'The head is of another machine.'),
  ]
}
