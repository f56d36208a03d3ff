import type { TokenList } from '#core/token/list.ts'
import { OP_VALID_TICKS_MAX, opDigest, type SignedOp } from '#core/token/op.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import type { InBatch } from '#domain/economy/moving/append.ts'
import { type AwayMoveRow, concernedBy } from '#store/away.ts'
import { type HomeAsk, Unanswered } from './ask.ts'
import { awayFrom, speakerOf, unreachable } from './context.ts'
import type { FetchOptions } from './fetch.ts'
import { ToldFault } from './forms.ts'
import { createFresh } from './fresh.ts'
import { heldIn, listOf } from './keep.ts'
import { createPending } from './pending.ts'
import { createSettleAway } from './settle.ts'

/** Tries of one op while its caller waits. */
const TRIES = 3
/** Mesh ticks between two tries of an op whose caller has gone. */
const AGAIN_TICKS = 8
/** For whom an op is sent. */
export interface SendingAway {
  /** The call, so that a repeat of it sends the same op. */
  readonly repeat?: string | undefined
  readonly beside?: InBatch | undefined
}

interface Trying {
  readonly signed: SignedOp
  readonly list: TokenList
  readonly tries: number
  /** Whether its home may have it from before. */
  readonly sent?: boolean | undefined
}

/** Has the home apply an op, and again while answers are lost. @throws ToldFault, Unanswered */
const tryApply = async (
  ask: Pick<HomeAsk, 'apply'>,
  { signed, list, tries, sent: before = false }: Trying,
): Promise<TokenReceiptFile> => {
  let sent = before
  for (let left = tries; ; left -= 1) {
    try {
      return await ask.apply(signed, list)
    } catch (cause) {
      if (!(cause instanceof Unanswered)) throw cause
      sent ||= cause.sent
      if (left <= 1 || cause.away) {
        throw sent === cause.sent ? cause : new Unanswered(signed.op.home, { why: cause.why, sent, away: cause.away })
      }
    }
  }
}

/** Has the home apply an op of strangers: nothing of it is kept. */
const passTo =
  (ask: Pick<HomeAsk, 'apply'>) =>
  async (signed: SignedOp, list: TokenList): Promise<TokenReceiptFile> => {
    try {
      return await tryApply(ask, { signed, list, tries: 1 })
    } catch (cause) {
      if (!(cause instanceof Unanswered && cause.sent)) throw cause
      const detail = `${cause.message} It may have been applied: the same op again gives its receipt.`
      throw unreachable(signed.op.home, detail, { op_digest: opDigest(signed.op), pending: true })
    }
  }

/** Ops for tokens whose home is another node. */
export const createRelay = (options: FetchOptions) => {
  const { context, ask, lots } = options
  const { store, ports, seek } = context
  const pending = createPending(context)
  const settle = createSettleAway(options)
  let tried = 0

  /** Sends an op that is kept, to its end. */
  const conclude = async (
    { signed, list, sent }: Pick<Trying, 'signed' | 'list' | 'sent'>,
    beside?: InBatch,
  ): Promise<AwayMoveRow> => {
    const digest = opDigest(signed.op)
    let file: TokenReceiptFile
    try {
      file = await tryApply(ask, { signed, list, tries: TRIES, sent })
    } catch (cause) {
      if (cause instanceof Unanswered && cause.sent) {
        const detail = `${cause.message} It may have been applied: this node asks on, with the same op.`
        throw unreachable(signed.op.home, detail, { op_digest: digest, pending: true })
      }
      await pending.forget(digest, list)
      // What it refuses for is news here: the list shows tokens as their home has them.
      if (cause instanceof ToldFault) await lots.again(heldIn(store, list)).catch(() => undefined)
      throw cause
    }
    return settle(file, list, beside)
  }

  return {
    pendingOf: pending.of,

    /** Sends an op again that is kept. */
    resend: async (signed: SignedOp, { beside }: SendingAway): Promise<AwayMoveRow> =>
      conclude({ signed, list: await listOf(store, opDigest(signed.op)), sent: true }, beside),

    /**
     * Has the home apply an op of somebody who lives here, and keeps its receipt. The same op again gives the same
     * receipt, also where an answer was lost.
     *
     * @throws Fault HOME_UNREACHABLE; what the home refuses with
     */
    send: async (signed: SignedOp, list: TokenList, { repeat, beside }: SendingAway = {}): Promise<AwayMoveRow> => {
      const digest = opDigest(signed.op)
      const before = await store.get('awayMove', digest)
      if (before !== undefined) return before
      const why = await awayFrom(context, signed.op.home)
      if (why !== undefined) throw new Unanswered(signed.op.home, { why, sent: false, away: true })
      await pending.keep(signed, list, repeat ?? null)
      return conclude({ signed, list }, beside)
    },

    pass: passTo(ask),

    /** Whether an op concerns an account here. */
    isOurs: (signed: SignedOp): boolean => concernedBy(signed).some((zid) => store.peek('account', zid) !== undefined),

    fresh: createFresh(options),

    /** Asks on for the answers that were lost. */
    beat: async (): Promise<void> => {
      const { meshTick } = store.now()
      if (meshTick < tried + AGAIN_TICKS) return
      const here = new Set(ports()?.peers())
      for await (const [digest, { zid: _, repeat: __, ...signed }] of store.range('awayPending')) {
        const { node } = speakerOf(context, signed.op.home)
        if (!here.has(node)) {
          seek(node)
          continue
        }
        tried = meshTick
        const list = await listOf(store, digest)
        // What was not applied by then never is, and what was its home tells when it is asked for states.
        if (signed.op.valid_to + OP_VALID_TICKS_MAX < meshTick) {
          await pending.forget(digest, list)
          continue
        }
        await conclude({ signed, list, sent: true }).catch((error: unknown) => {
          ports()?.log.debug({ digest, error: error instanceof Error ? error.message : error }, 'token_op_pending')
        })
      }
    },
  }
}
export type Relay = ReturnType<typeof createRelay>
