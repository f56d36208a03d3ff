import { Fault } from '#core/fault.ts'
import { countOf, packSorted, placesOf, type TokenList, type TokenPlace } from '#core/token/list.ts'
import { opDigest, type SignedOp, type TokenOp } from '#core/token/op.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { lockAt } from '#core/token/state.ts'
import type { InBatch } from '#domain/economy/moving/append.ts'
import { type AwayMoveRow, type AwayTokenRow, concernedBy } from '#store/away.ts'
import type { Transaction } from '#store/transaction.ts'
import { isReceived } from './arrivals.ts'
import { type HomeAsk, signerZid, Unanswered } from './ask.ts'
import { type AbroadContext, speakerOf, unreachable } from './context.ts'
import { ToldFault } from './forms.ts'
import { dropList, keepList, keepMove, keepWays, leave, listOf, type Twice, tokenIn, WAYS_AT_ONCE } from './keep.ts'
import type { Lots } from './lots.ts'

/** Ops whose answer was lost, of all accounts; beyond this nothing is sent before some are known. */
const PENDING_MAX = 4_096
/** Tries of one op while its caller waits. */
const TRIES = 3
/** Mesh ticks between two tries of an op whose caller has gone. */
const AGAIN_TICKS = 8
/** Tokens of one question about states, in a list of any length. */
const ASKED_AT_ONCE = 1_024
/** What a home may refuse with and have applied the op all the same. */
const unsure: ReadonlySet<string> = new Set(['STORE_FAILED', 'NODE_STOPPING'])

/** For whom an op is sent. */
export interface Sending {
  /** The call, so that a repeat of it sends the same op. */
  readonly repeat?: string | undefined
  readonly beside?: InBatch | undefined
}

export interface RelayOptions {
  readonly context: AbroadContext
  readonly ask: HomeAsk
  readonly lots: Lots
  readonly onTwice: (twice: Twice) => void
}

/** What an op does to tokens in lists here. @returns those that stay with their owner, of which their home will tell */
const after = (tx: Transaction, op: TokenOp, places: readonly TokenPlace[]): readonly AwayTokenRow[] =>
  places.flatMap(({ token_id, spend_seq }) => {
    const row = tokenIn(tx, token_id)
    if (row === undefined || row.spend_seq > spend_seq) return []
    if (!('to' in op) || op.to === row.owner) return [row]
    leave(tx, row)
    return []
  })

/** Ops for tokens whose home is another node. */
export const createRelay = ({ context, ask, lots, onTwice }: RelayOptions) => {
  const { store, ports } = context
  let tried = 0

  /** Keeps an op before it goes out, so that a lost answer is asked for with the same op. @throws Fault NODE_BUSY */
  const keep = async (signed: SignedOp, list: TokenList, repeat: string | null): Promise<void> => {
    const digest = opDigest(signed.op)
    let count = 0
    for await (const _ of store.range('awayPending')) count += 1
    if (count >= PENDING_MAX) throw new Fault('NODE_BUSY', 'Too many ops wait for the answers of their homes.')
    await store.commit((tx) => {
      keepList(tx.put, digest, list)
      tx.put('awayPending', digest, { ...signed, zid: signerZid(signed), repeat })
    })
  }

  const forget = (digest: string, list: TokenList): Promise<void> =>
    store.commit((tx) => {
      if (tx.get('awayPending', digest) === undefined) return
      tx.del('awayPending', digest)
      if (tx.get('awayMove', digest) === undefined) dropList(tx, digest, list)
    })

  /** Keeps a receipt; what went to somebody else leaves its owner's list. */
  const settle = async (file: TokenReceiptFile, list: TokenList, beside?: InBatch): Promise<AwayMoveRow> => {
    const { op, public_key, signature, receipt, receipt_signature, proof } = file
    const digest = opDigest(op)
    const received = proof !== null && isReceived(context, receipt.log, proof)
    await store.commit((tx) => {
      keepMove(tx, store, { op, public_key, signature, receipt, receipt_signature, proof, received })
      tx.del('awayPending', digest)
      const isHere = 'to' in op && tx.get('account', op.to) !== undefined
      tx.put('awayArrival', digest, { listed: true, done: isHere ? 0 : op.count })
      beside?.(tx, digest)
    })
    // A crash before the last of these leaves rows that the home, when it is asked again, says are nobody's here.
    const stayed: AwayTokenRow[] = []
    for (let at = 0; at < countOf(list); at += WAYS_AT_ONCE) {
      const places = [...placesOf(list, at, Math.min(at + WAYS_AT_ONCE, countOf(list)))]
      stayed.push(...(await store.commit((tx) => after(tx, op, places))))
    }
    const twice = await keepWays(store, digest, list)
    if (twice !== undefined) onTwice(twice)
    // What its home says now of lock and count may also be asked for later.
    if (stayed.length > 0 && 'ref' in op) await lots.again(stayed).catch(() => undefined)
    return (await store.get('awayMove', digest)) as AwayMoveRow
  }

  /** Has the home apply an op, and again while answers are lost. @throws ToldFault, Unanswered */
  const tryApply = async (signed: SignedOp, list: TokenList, tries: number): Promise<TokenReceiptFile> => {
    let sent = false
    for (let left = tries; ; left -= 1) {
      try {
        return await ask.apply(signed, list)
      } catch (cause) {
        const lost = cause instanceof Unanswered || (cause instanceof ToldFault && unsure.has(cause.code))
        if (!lost) throw cause
        sent ||= !(cause instanceof Unanswered) || cause.sent
        if (left <= 1) throw new Unanswered(signed.op.home, { why: cause.message, sent })
      }
    }
  }

  /** Sends an op that is kept, to its end. */
  const conclude = async (signed: SignedOp, list: TokenList, beside?: InBatch): Promise<AwayMoveRow> => {
    const digest = opDigest(signed.op)
    let file: TokenReceiptFile
    try {
      file = await tryApply(signed, list, TRIES)
    } catch (cause) {
      if (cause instanceof Unanswered && cause.sent) {
        const detail = `${cause.message} It may have been applied: this node asks on, with the same op.`
        throw unreachable(signed.op.home, detail, { op_digest: digest, pending: true })
      }
      await forget(digest, list)
      throw cause
    }
    return settle(file, list, beside)
  }

  return {
    /** The op that an earlier try of the same call sent, whose answer is not known. */
    pendingOf: async (zid: string, repeat: string): Promise<SignedOp | undefined> => {
      for await (const [, { zid: whose, repeat: of, ...signed }] of store.range('awayPending')) {
        if (whose === zid && of === repeat) return signed
      }
      return undefined
    },

    /** Sends an op again that is kept. */
    resend: async (signed: SignedOp, { beside }: Sending): Promise<AwayMoveRow> =>
      conclude(signed, await listOf(store, opDigest(signed.op)), beside),

    /**
     * Has the home apply an op of somebody who lives here, and keeps its receipt. The same op again gives the same
     * receipt, also where an answer was lost.
     *
     * @throws Fault HOME_UNREACHABLE; what the home refuses with
     */
    send: async (signed: SignedOp, list: TokenList, { repeat, beside }: Sending = {}): Promise<AwayMoveRow> => {
      const digest = opDigest(signed.op)
      const before = await store.get('awayMove', digest)
      if (before !== undefined) return before
      const { node } = speakerOf(context, signed.op.home)
      if (ports()?.peers().includes(node) !== true) throw unreachable(signed.op.home)
      await keep(signed, list, repeat ?? null)
      return conclude(signed, list, beside)
    },

    /** Has the home apply an op of strangers: nothing of it is kept. */
    pass: (signed: SignedOp, list: TokenList): Promise<TokenReceiptFile> => tryApply(signed, list, 1),

    /** Whether an op concerns an account here. */
    isOurs: (signed: SignedOp): boolean => concernedBy(signed).some((zid) => store.peek('account', zid) !== undefined),

    /** The list of tokens as their home has them now. @throws Fault NOT_FOUND, SOULBOUND, ENVELOPE_LOCKED */
    fresh: async (zid: string, home: string, tokens: readonly string[]): Promise<TokenList> => {
      const places: TokenPlace[] = []
      for (let at = 0; at < tokens.length; at += ASKED_AT_ONCE) {
        const asked = tokens.slice(at, at + ASKED_AT_ONCE)
        const { state } = await ask.state(home, zid, asked)
        const said = new Map(state.tokens.map((it) => [it.token_id, it]))
        for (const token_id of asked) {
          const now = said.get(token_id)
          if (now === undefined) throw new Fault('NOT_FOUND', undefined, { token_id })
          if (now.soulbound) throw new Fault('SOULBOUND', undefined, { token_id })
          const lock = lockAt(now.lock, store.now().meshTick)
          if (lock !== null) throw new Fault('ENVELOPE_LOCKED', undefined, { token_id, ...lock })
          places.push({ token_id, spend_seq: now.spend_seq })
        }
      }
      return packSorted(places)
    },

    /** Asks on for the answers that were lost. */
    beat: async (): Promise<void> => {
      const { meshTick } = store.now()
      if (meshTick < tried + AGAIN_TICKS) return
      const here = new Set(ports()?.peers())
      for await (const [digest, { zid: _, repeat: __, ...signed }] of store.range('awayPending')) {
        if (!here.has(speakerOf(context, signed.op.home).node)) continue
        tried = meshTick
        const list = await listOf(store, digest)
        if (countOf(list) === 0) continue
        await conclude(signed, list).catch((error: unknown) => {
          ports()?.log.debug({ digest, error: error instanceof Error ? error.message : error }, 'token_op_pending')
        })
      }
    },
  }
}
export type Relay = ReturnType<typeof createRelay>
