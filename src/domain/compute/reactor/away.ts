import Type, { type Static } from 'typebox'
import { fromUtf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { soundKeyOf } from '#core/keys.ts'
import { type EntryProof, entryHash, entryProofFault, machineIdHash } from '#core/machine.ts'
import { entrySchema, inLogMembers } from '#core/machine-proof.ts'
import { LEVELS_MAX } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { closed, count, finite, fitting, hex64, misfit, oneOf, orNull, slug, text } from '#core/schema.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import type { View } from '#core/view.ts'
import { ownerOf } from '#domain/compute/job.ts'
import type { ReactorMachines, RequestContext } from '#domain/compute/types.ts'
import type { NextView, StepView } from '#domain/compute/views/reactor.ts'
import type { Waits } from '#domain/waits.ts'
import type { ReactorStore } from './reactor-store.ts'
import type { NextOrder, Reactors } from './types.ts'

/** The longest that a node keeps another one's question, in milliseconds: less than the exchange may take. */
export const HOLD_MS_MAX = 8_000
/** Bytes of a question, and of an answer. */
export const QUESTION_BYTES_MAX = 1_024
export const ANSWER_BYTES_MAX = 262_144

const SHARE_CHARS_MAX = 128

const id = Type.String({ pattern: '^[0-9a-f]{32}$' })

/** What one node asks another. */
const question = closed({
  v: Type.Literal(1),
  reactor: id,
  after: count(),
  share: orNull(text(SHARE_CHARS_MAX)),
  hold_ms: count({ maximum: HOLD_MS_MAX }),
})

/** What the body of a step's entry holds, beside what every entry does. */
const stepBody = Type.Object({
  reactor: id,
  step: count({ minimum: 1 }),
  state: hex64(),
  previous: hex64(),
  errorPct: finite({ minimum: 0 }),
  errorSum: finite({ minimum: 0 }),
  token_id: orNull(Type.String({ pattern: patterns.tokenId })),
  observed: Type.Record(Type.String(), orNull(finite())),
})

const proof = closed({ path: Type.Array(hex64(), { maxItems: LEVELS_MAX }), ...inLogMembers })

/** What it answers. `none`: there is no such step yet. `absent`: no such reactor, or none that the asker may follow. */
const answer = closed({
  v: Type.Literal(1),
  status: oneOf(['step', 'none', 'absent']),
  newest: orNull(count()),
  found: orNull(closed({ slug: slug(), genesis_hash: hex64(), entry: entrySchema, proof })),
})

type Question = View<typeof question>
type Answer = View<typeof answer>

const bytesOf = (value: Question | Answer): Uint8Array => canonicalBytes(value as unknown as Json)

interface Collaborators {
  readonly reactorStore: ReactorStore
  readonly waits: Waits
  readonly machines: ReactorMachines
}

/** Answers of this node to others: a step is told once its entry is under a checkpoint, so that it proves itself. */
export const createAnswering = (
  { reactorStore, waits, machines }: Collaborators,
  beats: () => Promise<void>,
): Reactors['answer'] => {
  const absent: Answer = { v: 1, status: 'absent', newest: null, found: null }

  const look = async ({ reactor, after }: Question): Promise<Answer> => {
    const row = reactorStore.peek(reactor)
    if (row === undefined || row.slug === null) return absent
    const none: Answer = { v: 1, status: 'none', newest: row.step, found: null }
    const step = row.step > after ? reactorStore.stepAt(reactor, after + 1) : undefined
    const found = step?.seq == null ? undefined : await machines.proved(row.slug, step.seq)
    if (found === undefined || found.proof === null) return none
    const { slug: name, genesis_hash, entry, proof: proved } = found
    return { v: 1, status: 'step', newest: row.step, found: { slug: name, genesis_hash, entry, proof: proved } }
  }

  const answerTo = async (node: string, asked: Question): Promise<Answer> => {
    const row = reactorStore.peek(asked.reactor)
    if (row === undefined || row.slug === null || !machines.shares(row.slug, asked.share)) return absent
    using _ = waits.enter(`node:${node}`, row.id)
    using time = waits.limit(asked.hold_ms)
    for (;;) {
      const things = [reactorStore.hub.moved(row.id), beats()]
      const found = await look(asked)
      const newest = reactorStore.peek(row.id)
      const over = newest === undefined || (newest.ended !== null && newest.step <= asked.after)
      if (found.status !== 'none' || over || time.over.aborted) return found
      await waits.until(things, asked.hold_ms, [time.over])
    }
  }

  return async (node, bytes) => {
    const asked = parseCanonical(bytes)
    if (misfit(question, asked) !== undefined) return bytesOf(absent)
    return bytesOf(await answerTo(node, asked as Question))
  }
}

/** A way to a node that is connected. @throws Error when it is not there, not in time, or answers too much. */
export type AskNode = (node: string, question: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>

const doubt = (why: string): Fault => new Fault('BAD_SIGNATURE', `The other node's answer proves nothing: ${why}`)

/** The step that an answer proves. @throws Fault BAD_SIGNATURE for anything but that step of that reactor there. */
const provenStep = (
  node: string,
  asked: Question,
  { found }: Answer,
): NonNullable<Pick<NextView, 'step' | 'entry'>> => {
  if (found === null) throw doubt('it says that there is a step, and shows none.')
  const { entry, proof: shown } = found
  const whole = entry as StepEntry
  if (machineIdHash(found.slug, found.genesis_hash) !== shown.head.id_hash) throw doubt('its machine is another one.')
  const origin = shown.checkpoint.slice(0, shown.checkpoint.indexOf('\n'))
  if (origin.split('/')[1] !== node) throw doubt('the checkpoint is of another node’s log.')
  const why = entryProofFault(whole, shown as EntryProof, verifierOf(origin, soundKeyOf(node)))
  if (why !== undefined) throw doubt(why)
  const wrong = misfit(stepBody, whole.body)
  if (whole.type !== 'reactor_step' || wrong !== undefined) throw doubt(`the entry is of no step. ${wrong ?? ''}`)
  const body = whole.body as unknown as Static<typeof stepBody>
  if (body.reactor !== asked.reactor || body.step !== asked.after + 1) throw doubt('the entry is of another step.')
  const { step, state, previous, errorPct, errorSum, token_id, observed } = body
  const view: StepView = {
    ...{ step, tick: whole.tick, state, previous, errorPct, errorSum, token_id, observed, seq: whole.seq },
    ...{ inputs_digest: null, result_digest: null, value: null, took_ms: null },
  }
  const { slug: name, genesis_hash } = found
  return {
    step: view,
    entry: { slug: name, genesis_hash, entry: whole, hash: entryHash(whole), proof: shown as EntryProof },
  }
}

type StepEntry = Parameters<typeof entryHash>[0]

/** The long-poll for a reactor of another node: asked again and again, each time for as long as it keeps a question. */
export const createFarNext = ({ waits }: Pick<Collaborators, 'waits'>, ask: () => AskNode | undefined) => {
  const once = async (node: string, asked: Question, signal: AbortSignal): Promise<Answer> => {
    const way = ask()
    if (way === undefined) throw new Fault('NODE_UNREACHABLE', 'This node speaks to no others: libp2p is off.')
    let bytes: Uint8Array
    try {
      bytes = await way(node, bytesOf(asked), signal)
    } catch (cause) {
      signal.throwIfAborted()
      throw new Fault('NODE_UNREACHABLE', cause instanceof Error ? cause.message : undefined, { node })
    }
    try {
      return fitting(answer, JSON.parse(fromUtf8(bytes)) as unknown)
    } catch (cause) {
      throw doubt(cause instanceof Error ? cause.message : 'it has no form.')
    }
  }

  return async (
    order: NextOrder & { readonly node: string },
    { caller, signal }: RequestContext,
  ): Promise<NextView> => {
    const { reactor, node, after, share, wait } = order
    if (reactor === undefined)
      throw new Fault('INVALID_INPUT', '/reactor: a reactor of another node is named.', { path: '/reactor' })
    using _ = waits.enter(ownerOf(caller), reactor)
    using time = waits.limit(wait * MS_PER_SECOND, signal)
    const nothing: NextView = { reactor, node, moved: false, step: null, entry: null }
    let from = after
    for (;;) {
      // Without a place to begin at the first answer says where it stands.
      const hold_ms =
        time.over.aborted || from === undefined ? 0 : Math.min(HOLD_MS_MAX, Math.floor(wait * MS_PER_SECOND))
      const asked: Question = { v: 1, reactor, after: from ?? Number.MAX_SAFE_INTEGER, share: share ?? null, hold_ms }
      const theirs = await once(node, asked, signal)
      if (theirs.status === 'absent')
        throw new Fault('NOT_FOUND', 'That node has no such reactor, or none to be followed.')
      if (theirs.status === 'step') return { ...nothing, moved: true, ...provenStep(node, asked, theirs) }
      if (time.over.aborted) return nothing
      from ??= theirs.newest ?? 0
    }
  }
}
