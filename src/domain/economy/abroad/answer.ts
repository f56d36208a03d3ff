import { fromHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { verifyValue } from '#core/keys.ts'
import { ENTRY_BYTES } from '#core/token/list.ts'
import { assertSignedOp } from '#core/token/op.ts'
import { speaksFor } from '#core/token/speaks.ts'
import { signStateWith, type TokenState } from '#core/token/state.ts'
import type { AppliedMove } from '#domain/economy/moving/append.ts'
import { fileOf } from '#domain/economy/moving/show.ts'
import { nodeOfZid } from '#domain/network/succession.ts'
import { supersessionsOf } from '#store/eras.ts'
import { readList } from '#store/op-lists.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import { type AnsweredFrames, createBundleAnswers, inPieces } from './answer-bundles.ts'
import type { Arrivals } from './arrivals.ts'
import type { AbroadContext } from './context.ts'
import { type AskProof, faultFrame, frameOf, PROOF_TICKS, type QuestionOf, readQuestion } from './forms.ts'
import { type Far, openFar, sendFrame, sendPieces, takePieces } from './pieces.ts'
import type { Abroad } from './types.ts'

/** Whether a node may ask for what is a ZID's: the ZID's key says so, or named that node last. @throws Fault */
const doorOf =
  ({ store, node: own }: AbroadContext) =>
  (node: string, { zid, proof }: { readonly zid: string; readonly proof: AskProof | null }): void => {
    if (proof === null) {
      if (nodeOfZid({ get: store.peek }, zid) === node) return
      throw new Fault('NOT_FOUND', 'This ZID did not name the node that asks.')
    }
    const { public_key, mesh_tick, signature } = proof
    const accountKey = (it: string): string | undefined => store.peek('account', it)?.public_key
    const known = { accountKey, successions: supersessionsOf(store) }
    const timely = Math.abs(mesh_tick - store.now().meshTick) <= PROOF_TICKS
    const value = { from: node, to: own, zid, mesh_tick }
    const holds = timely && verifyValue(fromHex(public_key), purposes.tokenAsk, value, signature)
    if (!(holds && speaksFor(public_key, zid, known)))
      throw new Fault('BAD_SIGNATURE', 'The key does not prove the ZID.')
  }

/** How this node answers others: as the home of what it minted, and as the node of those whose tokens came. */
export const createAnswering = (context: AbroadContext, arrivals: Pick<Arrivals, 'take'>): Abroad['answer'] => {
  const { store, home, signer, ports } = context

  const assertMayAsk = doorOf(context)

  const rowOf = (tokenId: string): EnvelopeRow | undefined => {
    const row = store.peek('envelope', tokenId)
    return row === undefined ? undefined : home.through(row)
  }

  const { bundleOf, bundlesOf } = createBundleAnswers(context, rowOf)

  const fileFrame = async (move: AppliedMove): Promise<AnsweredFrames> => ({
    frame: frameOf({ v: 1, answer: 'receipt', file: await fileOf(store, move, 0) }),
  })

  const apply = async (
    far: Far,
    { op, public_key, signature, bytes }: QuestionOf<'apply'>,
  ): Promise<AnsweredFrames> => {
    const signed = { op, public_key, signature }
    if (!home.isOwn(op.home)) throw new Fault('INVALID_INPUT', 'This node is not the home of these tokens.')
    if (bytes !== op.count * ENTRY_BYTES)
      throw new Fault('INVALID_INPUT', 'The list has another length than the op says.')
    assertSignedOp(signed)
    return fileFrame(await home.apply(signed, await takePieces(far, bytes)))
  }

  const stateOf = async ({ zid, home: log, token_ids }: QuestionOf<'state'>): Promise<AnsweredFrames> => {
    const tokens = token_ids.flatMap((token_id): TokenState['tokens'] => {
      const row = rowOf(token_id)
      if (row === undefined || row.listed_under !== zid || store.leafAt(row.index).log.origin !== log) return []
      const { spend_seq, face, soulbound, lock } = row
      return [{ token_id, spend_seq, face, soulbound, lock }]
    })
    const state: TokenState = { home: log, log: store.log.origin, zid, mesh_tick: store.now().meshTick, tokens }
    return {
      frame: frameOf({ v: 1, answer: 'state', signed: { state, signature: await signStateWith(signer, state) } }),
    }
  }

  /** An op that concerned a ZID. @throws Fault NOT_FOUND */
  const moveOf = async ({ zid, op_digest }: QuestionOf<'list' | 'receipt'>): Promise<AppliedMove> => {
    const move = await home.applied(op_digest)
    const concerns = move !== undefined && (move.row.from === zid || ('to' in move.row.op && move.row.op.to === zid))
    if (!concerns) throw new Fault('NOT_FOUND')
    return move
  }

  const answerTo = async (node: string, far: Far, first: Uint8Array): Promise<AnsweredFrames> => {
    // By which policy it goes is known once the node is whole.
    if (ports() === undefined) throw new Fault('NODE_BUSY', 'This node is starting.')
    const question = readQuestion(first)
    switch (question.ask) {
      case 'apply':
        return apply(far, question)
      case 'arrived':
        await arrivals.take(node, question.file)
        return { frame: frameOf({ v: 1, answer: 'kept' }) }
      default:
        assertMayAsk(node, question)
    }
    if (question.ask === 'state') return stateOf(question)
    if (question.ask === 'bundle') return bundleOf(question)
    if (question.ask === 'bundles') return bundlesOf(question)
    const move = await moveOf(question)
    return question.ask === 'list' ? inPieces(await readList(store, 'moveList', move.row.digest)) : fileFrame(move)
  }

  return async (node, wire) => {
    const far = openFar(wire)
    const first = await far.inbox.next('slow')
    if (first === undefined) return
    let answered: AnsweredFrames
    try {
      answered = await answerTo(node, far, first)
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      answered = { frame: faultFrame(cause) }
    }
    await sendFrame(far, answered.frame)
    if (answered.pieces !== undefined) await sendPieces(far, answered.pieces)
  }
}
