import { fromHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import type { OpenedSession } from '#core/channel/frame.ts'
import type { Envelope } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { isHex64, isNodeId } from '#core/ids.ts'
import type { LogTrust } from '#core/log-trust.ts'
import { NodeRefusal } from '#gateway/client.ts'
import type { Invocation } from './command.ts'
import { streamIdOf } from './commands/streams-read.ts'
import { type Connection, connect } from './connection.ts'
import { describe } from './describe.ts'
import { type Exit, exits } from './exit.ts'
import { jsonText, printable } from './io.ts'
import { clientOf } from './over-http.ts'
import { CliError } from './problem.ts'

/** Attempts at a bundle: the checkpoint that covers a new tick comes with the next ticks of the node. */
const BUNDLE_RETRIES_MAX = 16

/** Whose signature is expected. */
interface Expected {
  readonly node: string
  readonly trust: LogTrust
  /** True: nobody but the node itself says that it is this one. */
  readonly isItsOwnWord: boolean
}

const nodeOf = async (key: string): Promise<string> => {
  if (isNodeId(key)) return key
  const { nodeIdOf } = await import('#core/keys.ts')
  return nodeIdOf(isHex64(key) ? fromHex(key) : (await import('#core/note.ts')).parseVkey(key).publicKey)
}

/** The node that the options name, else the one of the own data directory, else what the other side calls itself. */
const expectedOf = async ({ options, signal }: Invocation, { client, nodeId }: Connection): Promise<Expected> => {
  const says = options['key'] !== undefined || options['policy'] !== undefined || options['successions'] !== undefined
  const trust = says ? await (await import('./evidence.ts')).readTrust(options) : {}
  const { trusted = nodeId } = trust
  if (trusted !== undefined) return { node: await nodeOf(trusted), trust: { ...trust, trusted }, isItsOwnWord: false }
  const { node } = await client.call('explorer.seal', {}, { signal })
  return { node, trust, isItsOwnWord: true }
}

const failed = (code: string, why: string): CliError => new CliError(exits.verificationFailed, why, { code })

/** The envelope that a frame brought, whose sender is known. */
const receive = async (id: string, { client }: Connection, { node, signal }: { node: string; signal: AbortSignal }) => {
  const { createFrameReceiver } = await import('./channel-receiver.ts')
  const receiver = await createFrameReceiver()
  const told = await client.call('compute.stream-secure-open', { id, public_key: receiver.publicKey }, { signal })
  const { channel, session, public_key, enc, expires_tick, signature } = told
  const opened: OpenedSession = { channel, session, public_key, enc, expires_tick }
  const { verifyByNode } = await import('#core/keys.ts')
  if (!verifyByNode(node, purposes.secure, opened as unknown as Json, signature)) {
    throw failed('BAD_SIGNATURE', `the session is not signed by ${node}`)
  }
  if (channel !== id || public_key !== receiver.publicKey) throw failed('BAD_SIGNATURE', 'the session is another one')
  const frame = (await client.call('compute.stream-secure-pull', { id, session }, { signal })) as Uint8Array
  const { counter, plain } = await receiver.open(opened, frame)
  const text = new TextDecoder().decode(plain)
  return { counter, envelope: JSON.parse(text) as Envelope, text, expires_tick }
}

/** Verifies the receipt of an envelope as `tickmesh verify` does, and that it is of this envelope. */
const verified = async (
  { envelope, text }: { readonly envelope: Envelope; readonly text: string },
  {
    connection: { url, bearer },
    trust,
    signal,
  }: { readonly connection: Connection; readonly trust: LogTrust; readonly signal: AbortSignal },
) => {
  const { verifyEvidence, stepLines, exitOf } = await import('./evidence.ts')
  const { token_id } = envelope.claim
  const client = clientOf({ url, retriesMax: BUNDLE_RETRIES_MAX, ...(bearer !== undefined && { key: bearer }) })
  const bundle = await client.call('compute.bundle', { token_id }, { signal }).catch((error: unknown) => {
    if (!(error instanceof NodeRefusal) || error.retryable) throw error
    // The owner of the channel and its own key are shown it, and nobody else who sees the machine.
    const why = `could not check: the receipt is not shown to this key (${error.code})`
    throw new CliError(exits.couldNotCheck, why, { code: error.code })
  })
  if (canonical(bundle.envelope as unknown as Json) !== text) {
    throw failed('ANOTHER_ENVELOPE', 'the receipt that the node serves is of another envelope than the frame')
  }
  const found = verifyEvidence(utf8(JSON.stringify(bundle)), { ...trust, replay: false })
  const exit: Exit = exitOf[found.outcome]
  return { exit, outcome: found.outcome, failing: found.failing ?? null, lines: stepLines(found) }
}

/** Shows the envelope of the newest frame of a secure channel, and whose it is. @returns the exit code */
export const showSecure = async (invocation: Invocation): Promise<Exit> => {
  const { io, args, options, signal } = invocation
  const id = streamIdOf(args[0])
  const connection = connect(invocation)
  const { node, trust, isItsOwnWord } = await expectedOf(invocation, connection)
  const got = await receive(id, connection, { node, signal })
  const { counter, envelope } = got
  const check = options['verify'] === true ? await verified(got, { connection, trust, signal }) : undefined
  const exit = check?.exit ?? exits.ok
  if (io.json) {
    const { outcome = null, failing = null } = check ?? {}
    io.out(jsonText({ ok: exit === exits.ok, channel: id, counter, node, outcome, failing, envelope }))
  } else {
    const { value, unit, kind, tick, token_id, check: measured } = envelope.claim
    const shown = { counter, kind, value, unit, errorPct: measured.measured, tick, token_id, signed_by: node }
    const ending = check === undefined ? [] : [...check.lines, `the receipt: ${check.outcome}`]
    io.out(printable([describe(shown), ...ending].join('\n')))
  }
  if (isItsOwnWord) io.say('whose key that is, the node says itself; --key names one that you trust')
  return exit
}
