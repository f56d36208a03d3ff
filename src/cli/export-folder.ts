import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResultOf } from '#api/result-of.ts'
import type { Client } from '#gateway/client.ts'
import type { Invocation } from './command.ts'
import { connect } from './connection.ts'
import { type Exit, exits } from './exit.ts'
import { howTo, keyText } from './export-texts.ts'
import { writeWhole } from './files.ts'
import { wholeOption } from './input.ts'
import { present } from './io.ts'
import { CliError, usageError } from './problem.ts'
import { fetchBundle } from './run-job.ts'

/** Rows of a page of the list. */
const PAGE = 200
/** Receipts of one folder. */
const RECEIPTS_MAX = 100_000
/** Bytes of a file that may be a receipt exported before. */
const KEPT_BYTES_MAX = 33_554_432
/** The verifier as set-up makes it. */
const VERIFIER = fileURLToPath(new URL('../../.build/verify.html', import.meta.url))
const RECEIPTS = 'receipts'

type Item = ResultOf<'economy.envelopes'>['envelopes'][number]

/** A file of the folder that is not a receipt, and what one of ours begins with or has near its beginning. */
interface Beside {
  readonly name: string
  readonly text: string
  readonly mark: string
}

const foreign = (path: string): CliError =>
  new CliError(exits.failure, `${path} is there already and is not of an export; nothing was written`, {
    code: 'FOREIGN_FILE',
    details: { path },
  })

const textOf = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isFile() || found.size > KEPT_BYTES_MAX) throw foreign(path)
  return readFileSync(path, 'utf8')
}

/** The caller's receipts, newest first. New ones may come meanwhile: what a page shows twice is taken once. */
async function* receiptsOf(client: Client, signal: AbortSignal): AsyncGenerator<Item> {
  const { zid } = await client.call('economy.credits', {}, { signal })
  const seen = new Set<string>()
  for (let offset = 0; offset < RECEIPTS_MAX; offset += PAGE) {
    const { envelopes } = await client.call('economy.envelopes', { zid, limit: PAGE, offset }, { signal })
    for (const it of envelopes) {
      if (!seen.has(it.token_id)) yield it
      seen.add(it.token_id)
    }
    if (envelopes.length < PAGE) return
  }
}

interface Choice {
  readonly limit: number
  readonly kind: string | undefined
}

const choiceOf = ({ options }: Invocation): Choice => {
  const limit = wholeOption(options['limit'], '--limit') ?? RECEIPTS_MAX
  if (limit < 1) throw usageError('--limit is at least 1')
  return { limit, kind: typeof options['kind'] === 'string' ? options['kind'] : undefined }
}

const chosen = async (client: Client, { limit, kind }: Choice, signal: AbortSignal): Promise<readonly Item[]> => {
  const found: Item[] = []
  for await (const it of receiptsOf(client, signal)) {
    if (found.length === limit) break
    if (kind === undefined || it.kind === kind) found.push(it)
  }
  return found
}

const isReceipt = (text: string, token: string): boolean => {
  try {
    const { envelope } = JSON.parse(text) as {
      readonly envelope?: { readonly claim?: { readonly token_id?: unknown } }
    }
    return envelope?.claim?.token_id === token
  } catch {
    return false
  }
}

interface Plan {
  readonly kept: number
  readonly missing: readonly { readonly token: string; readonly path: string }[]
}

/** What is there, and what is to be fetched. @throws CliError for a file of another hand, before any is written. */
const planOf = (directory: string, items: readonly Item[], beside: readonly Beside[]): Plan => {
  for (const { name, mark } of beside) {
    const path = join(directory, name)
    const there = textOf(path)
    if (there !== undefined && !there.includes(mark)) throw foreign(path)
  }
  const missing: { readonly token: string; readonly path: string }[] = []
  for (const { kind, token_id: token } of items) {
    const path = join(directory, RECEIPTS, `${kind}-${token}.json`)
    const there = textOf(path)
    if (there === undefined) missing.push({ token, path })
    else if (!isReceipt(there, token)) throw foreign(path)
  }
  return { kept: items.length - missing.length, missing }
}

const verifierText = (): string => {
  try {
    return readFileSync(VERIFIER, 'utf8')
  } catch {
    const said = 'the verifier in one file was not built; run the set-up again: node scripts/setup.mjs'
    throw new CliError(exits.failure, said, { code: 'NOT_BUILT' })
  }
}

const besideOf = async (client: Client, signal: AbortSignal): Promise<readonly Beside[]> => {
  const { node, vkeys, key_supersessions: past } = await client.call('identity.node', {}, { signal })
  const verifier = verifierText()
  return [
    { name: 'verify.html', text: verifier, mark: '<title>Verify a receipt · tickmesh</title>' },
    // The mark is the node: a folder holds receipts of one, and its key is not put in the place of another's.
    { name: 'node.key', text: keyText(node, vkeys.log), mark: node },
    { name: 'README.txt', text: howTo(node, past.length > 0), mark: howTo(node, false).split('\n')[0] ?? '' },
    ...(past.length === 0
      ? []
      : [{ name: 'successions.json', text: `${JSON.stringify(past, undefined, 2)}\n`, mark: 'old_node' }]),
  ]
}

/**
 * Writes receipts as bundles into a folder, with what it takes to verify them. Each file is written whole or not at
 * all, and a second run goes on where one was broken off.
 *
 * @throws CliError FOREIGN_FILE where a file of another hand is in the way, before anything is written.
 */
export const exportInto = async (invocation: Invocation): Promise<Exit> => {
  const { io, args, signal } = invocation
  const [directory = ''] = args
  const choice = choiceOf(invocation)
  const { client } = connect(invocation)
  const beside = await besideOf(client, signal)
  const items = await chosen(client, choice, signal)
  const { kept, missing } = planOf(directory, items, beside)
  mkdirSync(join(directory, RECEIPTS), { recursive: true })
  for (const { name, text } of beside) writeWhole(join(directory, name), text)
  try {
    for (const [i, { token, path }] of missing.entries()) {
      io.redraw(`receipt ${i + 1} of ${missing.length}`)
      writeWhole(path, `${JSON.stringify(await fetchBundle(client, token, signal))}\n`)
    }
  } finally {
    io.redraw('')
  }
  const written = missing.length
  const files = beside.map(({ name }) => name)
  present(io, { ok: true, directory, receipts: items.length, written, kept, files }, () =>
    [
      `${items.length} receipts in ${join(directory, RECEIPTS)}: ${written} written, ${kept} were there`,
      `beside them ${files.join(', ')}: open verify.html in a browser and drop receipts on it`,
    ].join('\n'),
  )
  return exits.ok
}
