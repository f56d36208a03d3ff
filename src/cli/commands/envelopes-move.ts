import { accessSync, constants, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { InputOf, ResultOf } from '#api/result-of.ts'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { confirm } from '#cli/confirm.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { wholeOption } from '#cli/input.ts'
import { present, table } from '#cli/io.ts'
import { type MoveTold, moveRows } from '#cli/moves.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { trustOptions } from '#cli/trust-options.ts'
import { TICK_NS } from '#core/tick.ts'
import { pause } from '#core/wait.ts'
import { zidEnd, zidFault, zidText } from '#core/zid-text.ts'
import type { Client } from '#gateway/client.ts'

/** Envelopes that are read at once for a preview. */
const READ_AT_ONCE = 8
/** Ticks in which a move must long be under a checkpoint, even a late one. */
const TICKS_MAX = 20
const TICK_MS = Number(TICK_NS) / 1e6
/** Moves of a page of the history. */
const MOVES = 20

type Envelope = ResultOf<'economy.envelope'>

const envelopesWords = (count: number): string => (count === 1 ? '1 envelope' : `${count} envelopes`)

const readEnvelopes = async (client: Client, tokens: readonly string[], signal: AbortSignal): Promise<Envelope[]> => {
  const found: Envelope[] = []
  for (let at = 0; at < tokens.length; at += READ_AT_ONCE) {
    const some = tokens.slice(at, at + READ_AT_ONCE)
    found.push(
      ...(await Promise.all(some.map((token_id) => client.call('economy.envelope', { token_id }, { signal })))),
    )
  }
  return found
}

const whyStays = ({ immovable, lock }: Envelope): string => {
  if (immovable === 'soulbound') return 'soulbound: free credits bought it'
  if (immovable === 'unconfirmed') return 'not now: its home has not answered lately'
  return `locked: ${lock?.kind ?? 'it is tied'}`
}

const codeOf = ({ immovable }: Envelope) => {
  if (immovable === 'unconfirmed') return 'HOME_UNREACHABLE'
  return immovable === 'soulbound' ? 'SOULBOUND' : 'ENVELOPE_LOCKED'
}

/** @throws CliError that names every envelope which stays, and why: to be tried later where homes are silent alone. */
const assertMovable = (envelopes: readonly Envelope[]): void => {
  const staying = envelopes.filter(({ movable }) => !movable)
  const bound = staying.find(({ immovable }) => immovable !== 'unconfirmed')
  const first = bound ?? staying[0]
  if (first === undefined) return
  const lines = staying.map((it) => `\n  ${it.token_id}  ${whyStays(it)}`)
  const code = codeOf(first)
  const end = bound === undefined ? 'cannot be sent now; try again later, or leave out' : 'cannot be sent; leave out'
  const message = `${code}: ${envelopesWords(staying.length)} of these ${end}${lines.join('')}`
  const exit = bound === undefined ? exits.tryLater : exits.failure
  throw new CliError(exit, message, { code, details: { token_ids: staying.map((it) => it.token_id) } })
}

/** What is to be sent, as its sender is shown it. */
interface Plan {
  readonly input: Pick<InputOf<'economy.send'>, 'count' | 'token_ids'>
  readonly words: string
}

/** @throws CliError (usage) unless either a number or tokens are given. */
const planOf = async ({ args, options, signal }: Invocation, client: Client): Promise<Plan> => {
  const count = wholeOption(options['count'], '--count')
  if ((count === undefined) === (args.length === 0)) {
    throw usageError('say either which envelopes, by their tokens, or how many with --count')
  }
  if (count !== undefined) {
    const { zid } = await client.call('economy.credits', {}, { signal })
    const { total } = await client.call('economy.envelopes', { zid, limit: 1, offset: 0, movable: true }, { signal })
    return { input: { count }, words: `${envelopesWords(count)}, drawn at random of the ${total} that can be sent,` }
  }
  const tokens = [...new Set(args)]
  const envelopes = await readEnvelopes(client, tokens, signal)
  assertMovable(envelopes)
  const weight = envelopes.reduce((sum, { face_value: face }) => sum + face, 0)
  return { input: { token_ids: tokens }, words: `${envelopesWords(tokens.length)}, weight ${weight},` }
}

/** @throws CliError (usage) for what is no ZID. */
const recipientOf = ({ options: { to } }: Invocation): string => {
  if (typeof to !== 'string') throw usageError('--to is missing: the ZID that receives them')
  const zid = zidText(to)
  const fault = zidFault(zid)
  if (fault !== undefined) throw usageError(`--to ${to}: ${fault}`)
  return zid
}

type Place = NonNullable<ResultOf<'identity.node'>['place']>

/** Where a ZID is at home. A node of an earlier release does not say. */
const placeOf = async (client: Client, zid: string, signal: AbortSignal): Promise<Place | undefined> =>
  (await client.call('identity.node', { zid }, { signal })).place

const placeWords = (place: Place | undefined): string => {
  if (place === undefined) return ''
  if (!place.known) return ', which is not known here'
  return place.here ? ', at home at this node' : `, at home at node ${place.node}`
}

/** The move as soon as a checkpoint holds its leaf; as it stands when that takes too long. */
const proved = async (client: Client, move: MoveTold, signal: AbortSignal): Promise<MoveTold> => {
  let newest = move
  for (let attempt = 0; attempt < TICKS_MAX; attempt++) {
    newest = await client.call('economy.move', { op_digest: move.op_digest }, { signal })
    if (newest.receipt.proof !== null) break
    await pause(TICK_MS, signal)
  }
  return newest
}

/** Writes the receipt of a move, with its proof where there is one. @returns what is said of it */
const saveReceipt = async (client: Client, move: MoveTold, { file, signal }: { file: string; signal: AbortSignal }) => {
  writeFileSync(file, `${JSON.stringify(move.receipt)}\n`)
  const whole = await proved(client, move, signal)
  writeFileSync(file, `${JSON.stringify(whole.receipt)}\n`)
  return whole.receipt.proof === null ? `receipt saved in ${file}, provisional` : `receipt and proof saved in ${file}`
}

const send = command({
  path: 'envelopes send',
  settings: 'node',
  summary:
    'Send envelopes to another account, those named or a number of them: all or none. Shows what goes, and asks.',
  args: [{ name: '[token...]', help: 'ids of the envelopes, all of one home', choices: 'tokens' }],
  options: [
    { flags: '--to <zid>', help: 'who receives them; compare its last characters with what they told you' },
    { flags: '--count <n>', help: 'how many, drawn at random among those that can be sent' },
    { flags: '--allow-unknown', help: 'send to a ZID that no node is known for: it waits for whoever holds its key' },
    { flags: '--dry-run', help: 'show what would be sent, to whom and at which node that is; send nothing' },
    { flags: '--save <file>', help: 'write the receipt here, once its log has proved it', choices: 'files' },
    {
      flags: '--idempotency-key <text>',
      help: 'names this sending: a repeat under the same name sends nothing more. At random when left out',
    },
  ],
  examples: [
    'tickmesh envelopes send --to zid1… --count 3 --save moved.json',
    'tickmesh envelopes send 0123456789abcdef0123456789abcdef --to zid1…',
    'tickmesh envelopes send --to zid1… --count 3 --dry-run',
  ],

  async run(invocation) {
    const { io, signal, options } = invocation
    const { save, allowUnknown, dryRun, idempotencyKey } = options
    const to = recipientOf(invocation)
    if (typeof save === 'string') accessSync(dirname(save), constants.W_OK)
    const { client } = connect(invocation)
    const [{ input, words }, place] = [await planOf(invocation, client), await placeOf(client, to, signal)]
    const plan = `${words} to ${to} (it ends in ${zidEnd(to)}${placeWords(place)})`
    if (dryRun === true) {
      present(
        io,
        { ok: true, dry_run: true, to, ...input, place: place ?? null },
        () => `would send ${plan}; nothing is sent`,
      )
      return exits.ok
    }
    await confirm(io, `Send ${plan}?`, signal)
    const answer = await client.call(
      'economy.send',
      { to, ...input, ...(allowUnknown === true && { allow_unknown: true }) },
      { signal, ...(typeof idempotencyKey === 'string' && { idempotencyKey }) },
    )
    const { moved, weight, move } = answer
    const saved = typeof save === 'string' ? await saveReceipt(client, move, { file: save, signal }) : undefined
    present(io, typeof save === 'string' ? { ...answer, saved: save } : answer, () =>
      [
        `sent ${envelopesWords(moved)}, weight ${weight}, to ${to}`,
        `op ${move.op_digest}, leaf ${move.index} of ${move.log}`,
        ...(saved === undefined ? [] : [saved]),
      ].join('\n'),
    )
    return exits.ok
  },
})

const history = command({
  path: 'envelopes history',
  settings: 'node',
  summary: 'Show what moved, or the way of one envelope, and verify each receipt here; exit 3 where one does not hold.',
  args: [{ name: '[token]', help: 'id of an envelope of yours; the whole account when left out', choices: 'tokens' }],
  options: [
    { flags: '--limit <n>', help: `how many moves of the account (default ${MOVES})` },
    { flags: '--before <n>', help: 'go on from here: what the page before named' },
    ...trustOptions,
  ],
  examples: ['tickmesh envelopes history', 'tickmesh envelopes history 0123456789abcdef0123456789abcdef --json'],

  async run(invocation) {
    const { io, args, options, signal } = invocation
    const [token_id] = args
    const limit = wholeOption(options['limit'], '--limit') ?? MOVES
    const before = wholeOption(options['before'], '--before')
    const { client, nodeId } = connect(invocation)
    const page = { limit, ...(before !== undefined && { before }) }
    const { ok: _, ...answer } =
      token_id === undefined
        ? await client.call('economy.moves', page, { signal })
        : await client.call('economy.history', { token_id }, { signal })
    const { checkMoves } = await import('#cli/check-moves.ts')
    const found = await checkMoves(answer.moves, options, nodeId)
    const failed = found.some(({ outcome }) => outcome === 'failed')
    const moves = answer.moves.map((move, i) => ({ ...move, verification: found[i] }))
    present(io, { ok: !failed, ...answer, moves }, () => {
      const rows = moveRows(answer.moves, found)
      const minted = 'minted' in answer ? [`minted to ${answer.minted.to}, face ${answer.minted.face_value}`] : []
      const more = 'next' in answer && answer.next !== null ? [`more with --before ${answer.next}`] : []
      return [...minted, rows.length === 0 ? 'nothing has moved' : table(rows), ...more].join('\n')
    })
    return failed ? exits.verificationFailed : exits.ok
  },
})

export const envelopeMoves: readonly Command[] = [send, history]
