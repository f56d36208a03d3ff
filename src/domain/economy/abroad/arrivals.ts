import { fromHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { publicKeyOf, zidOf } from '#core/keys.ts'
import { verifierOf } from '#core/note.ts'
import { verifyQuorum } from '#core/quorum.ts'
import { parseTlogProof } from '#core/tlog-proof.ts'
import { countOf, placesOf } from '#core/token/list.ts'
import { opDigest } from '#core/token/op.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { type AwayMoveRow, assertIncluded, assertReceipted, factsOf } from '#store/away.ts'
import { under } from '#store/layout.ts'
import type { HomeAsk } from './ask.ts'
import { type AbroadContext, speakerOf } from './context.ts'
import { ToldFault } from './forms.ts'
import { keepList, keepMove, keepWays, listOf, type Twice, tokenIn } from './keep.ts'
import type { Lots, Newcomer } from './lots.ts'

/** Arrivals that are not whole yet; of another one its home tells again later. */
const ARRIVALS_MAX = 16_384
/** Tokens that a ZID may have of homes that do not count here: a stranger mints what it likes. */
const UNCOUNTED_TOKENS_MAX = 10_000
/** Bundles of one arrival that are asked for before they are taken in, and at once. */
const FETCHED_AT_ONCE = 64
const ASKED_AT_ONCE = 4
/** Arrivals that go on at once, and ticks until one that could not is tried again, doubling to the larger one. */
const RUNS_MAX = 4
const WAIT_TICKS_MIN = 1
const WAIT_TICKS_MAX = 64

export interface Arrivals {
  /** Takes the word of a home that tokens came to a ZID here. @throws Fault UNKNOWN_ZID, BAD_SIGNATURE, NODE_BUSY */
  take(node: string, file: TokenReceiptFile): Promise<void>
  /** Goes on with what is on its way. */
  beat(track: (work: Promise<void>) => void): Promise<void>
}

/** Whether a proof that verifies makes an op received: the quorum of this node's own policy cosigned its checkpoint. */
export const isReceived = ({ ports }: Pick<AbroadContext, 'ports'>, log: string, proof: string): boolean => {
  const policy = ports()?.policy
  if (policy === undefined) return true
  return verifyQuorum(policy, parseTlogProof(proof).checkpoint, verifierOf(log, publicKeyOf(nodeOfLog(log)))).met
}

export interface ArrivalsOptions {
  readonly context: AbroadContext
  readonly ask: HomeAsk
  readonly lots: Lots
  /** Told of a home that spent a token twice. */
  readonly onTwice: (twice: Twice) => void
}

/** Tokens that came to ZIDs of this node, from a home's word to a row in their owners' lists. */
export const createArrivals = ({ context, ask, lots, onTwice }: ArrivalsOptions): Arrivals => {
  const { store, ports, signal } = context
  const running = new Set<string>()
  const waits = new Map<string, { readonly at: number; readonly ticks: number }>()

  const heldOf = async (zid: string): Promise<number> => {
    let held = 0
    for await (const [, count] of store.range('awayFolder', under(zid))) held += count
    return held
  }

  const countOpen = async (): Promise<number> => {
    let open = 0
    for await (const _ of store.range('awayArrival')) open += 1
    return open
  }

  /** Brings the list of an op here, and says which op changed its tokens. */
  const fetchList = async (move: AwayMoveRow, to: string): Promise<void> => {
    const { digest } = move
    const list = (await listOf(store, digest)).length > 0 ? await listOf(store, digest) : await ask.list(move, to)
    await store.commit((tx) => {
      keepList(tx.put, digest, list)
      tx.put('awayArrival', digest, { listed: true, done: 0 })
    })
    const twice = await keepWays(store, digest, list)
    if (twice !== undefined) onTwice(twice)
  }

  /** The bundle of a token that is on its way; undefined when it went on already. */
  const fetchOne = async (move: AwayMoveRow, to: string, token_id: string): Promise<Newcomer | undefined> => {
    if (tokenIn({ get: store.peek }, token_id)?.brought_by === move.digest) return undefined
    try {
      const { bytes, bundle } = await ask.bundle(move.op.home, to, token_id)
      return { token_id, brought_by: move.digest, facts: factsOf(bundle), bundle: bytes }
    } catch (cause) {
      if (cause instanceof ToldFault && cause.code === 'NOT_FOUND') return undefined
      throw cause
    }
  }

  const fetchSome = async (move: AwayMoveRow, to: string, tokens: readonly string[]): Promise<readonly Newcomer[]> => {
    const [waiting, found]: [string[], Newcomer[]] = [[...tokens], []]
    const fetcher = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const one = await fetchOne(move, to, next)
        if (one !== undefined) found.push(one)
      }
    }
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, fetcher))
    return found
  }

  /** Takes the tokens of an op in that were not taken in yet. */
  const fetchTokens = async (move: AwayMoveRow, to: string, from: number): Promise<void> => {
    const list = await listOf(store, move.digest)
    for (let at = from; at < countOf(list); at += FETCHED_AT_ONCE) {
      signal.throwIfAborted()
      const end = Math.min(at + FETCHED_AT_ONCE, countOf(list))
      const tokens = [...placesOf(list, at, end)].map((it) => it.token_id)
      const newcomers = await fetchSome(move, to, tokens)
      if (newcomers.length > 0) await lots.takeIn(to, move.op.home, newcomers)
      await store.commit((tx) => tx.put('awayArrival', move.digest, { listed: true, done: end }))
    }
  }

  /** Asks for the proof of an op's leaf until it is one that this node's policy takes. @returns whether it is */
  const fetchProof = async (move: AwayMoveRow, to: string): Promise<boolean> => {
    const { digest, op } = move
    const file = move.received ? move : await ask.receipt(op.home, to, digest)
    const { proof } = file
    const received = proof !== null && isReceived(context, move.receipt.log, proof)
    if (proof !== null && proof !== move.proof) {
      await store.commit((tx) => {
        const now = tx.get('awayMove', digest)
        if (now !== undefined && !now.received) tx.put('awayMove', digest, { ...now, proof, received })
      })
    }
    return received
  }

  const run = async (digest: string): Promise<void> => {
    const move = await store.get('awayMove', digest)
    if (move === undefined) return
    const { op, public_key } = move
    // Of what was sent from here the proof alone is missing.
    const to = 'to' in op && store.peek('account', op.to) !== undefined ? op.to : zidOf(fromHex(public_key))
    if (store.peek('awayArrival', digest)?.listed === false) await fetchList(move, to)
    const { done } = store.peek('awayArrival', digest) ?? { done: 0 }
    if (done < op.count) await fetchTokens(move, to, done)
    if (!(await fetchProof(move, to))) throw new Error('no checkpoint that the policy takes holds its leaf yet')
    await store.commit((tx) => tx.del('awayArrival', digest))
  }

  const start = (digest: string, track: (work: Promise<void>) => void): void => {
    running.add(digest)
    const { meshTick } = store.now()
    const work = run(digest)
      .then(() => void waits.delete(digest))
      .catch((error: unknown) => {
        const ticks = Math.min(2 * (waits.get(digest)?.ticks ?? WAIT_TICKS_MIN / 2), WAIT_TICKS_MAX)
        waits.set(digest, { at: meshTick + ticks, ticks })
        if (waits.size > ARRIVALS_MAX) waits.clear()
        ports()?.log.debug({ digest, error: error instanceof Error ? error.message : error }, 'tokens_arriving')
      })
      .finally(() => running.delete(digest))
    track(work)
  }

  return {
    take: async (node, file) => {
      const { op, public_key, signature, receipt, receipt_signature, proof } = file
      if (!('to' in op) || store.peek('account', op.to) === undefined) throw new Fault('UNKNOWN_ZID')
      const digest = opDigest(op)
      // Told a second time, or sent from here: it is on its way, or whole.
      if (store.peek('awayMove', digest) !== undefined) return
      const speaker = speakerOf(context, op.home)
      if (speaker.node !== node) throw new Fault('BAD_SIGNATURE', 'A node speaks for its own tokens alone.')
      const move = { op, public_key, signature, receipt, receipt_signature }
      assertReceipted(move, speaker.known)
      if (proof !== null) assertIncluded(proof, move)
      if (ports()?.standingOf(op.home).counts !== true && (await heldOf(op.to)) + op.count > UNCOUNTED_TOKENS_MAX) {
        throw new Fault('NODE_BUSY', 'This ZID has many tokens of homes that do not count here.')
      }
      if ((await countOpen()) >= ARRIVALS_MAX) throw new Fault('NODE_BUSY', 'Too many tokens are on their way here.')
      const received = proof !== null && isReceived(context, receipt.log, proof)
      await store.commit((tx) => {
        if (tx.get('awayMove', digest) !== undefined) return
        keepMove(tx, store, { ...move, proof, received })
        tx.put('awayArrival', digest, { listed: false, done: 0 })
      })
    },
    beat: async (track) => {
      const here = new Set(ports()?.peers())
      if (here.size === 0) return
      for await (const [digest] of store.range('awayArrival')) {
        if (running.size >= RUNS_MAX) return
        if (running.has(digest) || (waits.get(digest)?.at ?? 0) > store.now().meshTick) continue
        const op = store.peek('awayMove', digest)?.op
        if (op !== undefined && here.has(speakerOf(context, op.home).node)) start(digest, track)
      }
    },
  }
}
