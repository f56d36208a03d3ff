import { fromHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { publicKeyOf, zidOf } from '#core/keys.ts'
import { verifierOf } from '#core/note.ts'
import { verifyQuorum } from '#core/quorum.ts'
import { parseTlogProof } from '#core/tlog-proof.ts'
import { countOf, placesOf } from '#core/token/list.ts'
import type { AwayMoveRow } from '#store/away.ts'
import { putList } from '#store/op-lists.ts'
import type { HomeAsk } from './ask.ts'
import type { AbroadContext } from './context.ts'
import { createBundleFetch } from './fetch-bundles.ts'
import { BUNDLES_ASKED_MAX } from './forms.ts'
import { keepWays, listOf, type Twice } from './keep.ts'
import type { Lots } from './lots.ts'

/** Whether a proof that verifies makes an op received: the quorum of this node's own policy cosigned its checkpoint. */
export const isReceived = ({ ports }: Pick<AbroadContext, 'ports'>, log: string, proof: string): boolean => {
  const policy = ports()?.policy
  if (policy === undefined) return true
  return verifyQuorum(policy, parseTlogProof(proof).checkpoint, verifierOf(log, publicKeyOf(nodeOfLog(log)))).met
}

/** Bytes of bundles kept for a ZID, of homes that no policy of this node names: a stranger mints what it likes. */
export const STRANGE_BYTES_MAX = 1_073_741_824

/** Holds what a ZID has of other homes against what is kept. @throws Fault NODE_BUSY; nothing that is here goes */
export const assertRoom = (
  { store, ports }: Pick<AbroadContext, 'store' | 'ports'>,
  zid: string,
  home: string,
): void => {
  if ((store.peek('awayBytes', zid) ?? 0) < STRANGE_BYTES_MAX) return
  const here = ports()
  if (here?.policy !== undefined && here.standingOf(home).counts) return
  throw new Fault('NODE_BUSY', 'This ZID has as many bytes of tokens of other homes as are kept for it.')
}

export interface FetchOptions {
  readonly context: AbroadContext
  readonly ask: HomeAsk
  readonly lots: Lots
  /** Told of a home that spent a token twice. */
  readonly onTwice: (twice: Twice) => Promise<unknown>
}

/** Brings what belongs to an op here, from where it was left. @throws Fault, Error when it has to be tried again */
export const createFetch = ({ context, ask, lots, onTwice }: FetchOptions): ((digest: string) => Promise<void>) => {
  const { store, signal } = context

  /** Brings the list of an op here, and says which op changed its tokens. */
  const fetchList = async (move: AwayMoveRow, to: string): Promise<void> => {
    const { digest } = move
    const kept = await listOf(store, digest)
    const list = kept.length > 0 ? kept : await ask.list(move, to)
    await store.commit((tx) => {
      putList(tx.put, 'awayList', { digest, list })
      tx.put('awayArrival', digest, { listed: true, done: 0 })
    })
    const twice = await keepWays(store, digest, list)
    if (twice !== undefined) await onTwice(twice)
  }

  const fetchSome = createBundleFetch(context, ask)

  /** Takes the tokens of an op in that were not taken in yet. What was taken in stays, whatever becomes of the rest. */
  const fetchTokens = async (move: AwayMoveRow, to: string, from: number): Promise<void> => {
    const list = await listOf(store, move.digest)
    for (let at = from; at < countOf(list); ) {
      signal.throwIfAborted()
      assertRoom(context, to, move.op.home)
      const end = Math.min(at + BUNDLES_ASKED_MAX, countOf(list))
      const some = [...placesOf(list, at, end)].map((it) => it.token_id)
      const { newcomers, taken, doubt } = await fetchSome(move, to, some)
      if (newcomers.length > 0) await lots.takeIn(to, move.op.home, newcomers)
      at += taken
      const done = at
      if (taken > 0) await store.commit((tx) => tx.put('awayArrival', move.digest, { listed: true, done }))
      if (doubt !== undefined) throw doubt
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

  return async (digest) => {
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
}
