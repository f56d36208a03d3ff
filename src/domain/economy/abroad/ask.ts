import { parseBundle } from '#core/bundle.ts'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import type { Bundle } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { codesOf, Fault, type FaultCode } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { signValueWith, zidOf } from '#core/keys.ts'
import { countOf, type TokenList } from '#core/token/list.ts'
import { opDigest, type SignedOp } from '#core/token/op.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { type SignedState, verifyState } from '#core/token/state.ts'
import { verifyBundle } from '#core/verify.ts'
import { breathe } from '#core/wait.ts'
import { rootOfLong } from '#domain/economy/moving/lists.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { assertIncluded, assertReceipted } from '#store/away.ts'
import type { Store } from '#store/store.ts'
import { type AbroadContext, awayFrom, speakerOf, unreachable } from './context.ts'
import {
  type AnswerOf,
  type AskProof,
  BUNDLES_BYTES_MAX,
  frameOf,
  piecesMax,
  readAnswer,
  type TokenAnswerKind,
  ToldFault,
} from './forms.ts'
import { type Far, nextFrame, openFar, sendFrame, sendPieces, takePieces } from './pieces.ts'

/**
 * A home that did not answer, or not what it should. `sent`: it may have taken the question all the same. `away`: it is
 * not there.
 */
export class Unanswered extends Fault {
  readonly why: string
  readonly sent: boolean
  readonly away: boolean
  constructor(
    home: string,
    { why, sent, away = false }: { readonly why: string; readonly sent: boolean; readonly away?: boolean },
  ) {
    const end = sent ? '' : ' Nothing changed.'
    const { message, details } = unreachable(home, `The home of the token cannot be reached: ${why}${end}`)
    super('HOME_UNREACHABLE', message, details)
    this.why = why
    this.sent = sent
    this.away = away
  }
}

/** What a home refuses an op or a question with; any other refusal of it says nothing about tokens. */
const homesRefuse: ReadonlySet<FaultCode> = new Set<FaultCode>([
  ...(['NOT_FOUND', 'SOULBOUND', 'ENVELOPE_LOCKED', 'SUPERSEDED', 'OP_EXPIRED', 'INVALID_INPUT', 'NODE_BUSY'] as const),
  ...codesOf('commit'),
])

const doubt = (why: string): Fault => new Fault('BAD_SIGNATURE', why)

/** Mesh ticks that a state may lie from the present, either way. */
const STATE_TICKS = 120

/** The way to homes, and how this node shows that it may ask. */
const wayTo = ({ store, node: own, custody, ports, signal }: AbroadContext) => {
  /** Runs a dialogue with whoever speaks for a home. @throws ToldFault, Unanswered */
  const dialogue = async <T>(home: string, talk: (far: Far) => Promise<T>): Promise<T> => {
    const { node } = speakerOf({ store }, home)
    const away = await awayFrom({ store, ports }, home)
    const way = ports()
    if (way === undefined || away !== undefined) {
      throw new Unanswered(home, { why: away ?? 'this node is starting.', sent: false, away: true })
    }
    let sent = false
    try {
      return await way.talk(
        node,
        (wire) => {
          sent = true
          return talk(openFar(wire))
        },
        signal,
      )
    } catch (cause) {
      if (cause instanceof ToldFault && homesRefuse.has(cause.code)) throw cause
      throw new Unanswered(home, { why: cause instanceof Error ? cause.message : String(cause), sent })
    }
  }

  const asked = async <K extends TokenAnswerKind>(far: Far, question: object, kind: K): Promise<AnswerOf<K>> => {
    await sendFrame(far, frameOf({ v: 1, ...question }))
    return readAnswer(kind, await nextFrame(far))
  }

  /** The ZID's own word that this node may ask, where its key is kept here. */
  const proofOf = async (zid: string, home: string): Promise<AskProof | null> => {
    const account = await store.get('account', zid)
    const signer = account === undefined ? undefined : custody(account)
    if (signer === undefined) return null
    const { meshTick: mesh_tick } = store.now()
    const value = { from: own, to: speakerOf({ store }, home).node, zid, mesh_tick }
    const signature = await signValueWith(signer, purposes.tokenAsk, value)
    return { public_key: toHex(signer.publicKey), mesh_tick, signature }
  }

  const pieces = async (far: Far, question: object, kind: keyof typeof piecesMax): Promise<Uint8Array> => {
    const { bytes } = await asked(far, question, 'pieces')
    if (bytes > piecesMax[kind]) throw doubt(`A ${kind} is at most ${piecesMax[kind]} bytes.`)
    return takePieces(far, bytes)
  }

  return { dialogue, asked, proofOf, pieces }
}

/** A receipt of an op, verified. @throws Fault BAD_SIGNATURE, BAD_PUBLIC_KEY */
const checkedFile = (store: Store, file: TokenReceiptFile, digest: string): TokenReceiptFile => {
  if (opDigest(file.op) !== digest) throw doubt('The receipt is of another op.')
  assertReceipted(file, speakerOf({ store }, file.op.home).known)
  if (file.proof !== null) assertIncluded(file.proof, file)
  return file
}

/** A bundle of a token, as bytes and as what they say. */
export interface FetchedBundle {
  readonly bytes: Uint8Array
  readonly bundle: Bundle
}

/** Bundles as their home gave them: the first so many of those that were asked for. */
export interface FetchedBundles {
  /** Undefined for a token that is not the ZID's. */
  readonly found: readonly (FetchedBundle | undefined)[]
  /** What is wrong with the one behind them, if it does not hold. */
  readonly doubt: Fault | undefined
}

/** Holds bytes against the token that they should be the bundle of. @throws Fault */
const checkedBundle = (store: Store, bytes: Uint8Array, of: { home: string; tokenId: string }): FetchedBundle => {
  const bundle = parseBundle(bytes)
  const { claim } = bundle.envelope
  if (claim.token_id !== of.tokenId || claim.log !== of.home) throw doubt('The bundle is of another token.')
  const { node, known: successions } = speakerOf({ store }, of.home)
  const found = verifyBundle({ bundle, trusted: node, successions, schemas: schemasHere })
  if (found.outcome === 'failed') throw doubt(`The bundle does not verify: ${found.failing}.`)
  return { bytes: utf8(JSON.stringify(bundle)), bundle }
}

/** Holds bundles that came as one against their sizes and tokens, with turns for others between. */
const checkedBundles = async (
  store: Store,
  { bytes, sizes }: { readonly bytes: Uint8Array; readonly sizes: readonly number[] },
  { home, tokenIds }: { readonly home: string; readonly tokenIds: readonly string[] },
): Promise<FetchedBundles> => {
  const found: (FetchedBundle | undefined)[] = []
  let from = 0
  for (const [i, size] of sizes.entries()) {
    await breathe()
    try {
      const own = bytes.subarray(from, from + size)
      const of = { home, tokenId: tokenIds[i] ?? '' }
      found.push(size === 0 ? undefined : checkedBundle(store, own, of))
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return { found, doubt: cause }
    }
    from += size
  }
  return { found, doubt: undefined }
}

/** Questions to homes. What they answer is verified before anybody sees it. */
export const createAsk = (context: AbroadContext) => {
  const { store, ports, signal } = context
  const { dialogue, asked, proofOf, pieces } = wayTo(context)

  return {
    /** Has a home apply an op. */
    apply: (signed: SignedOp, list: TokenList): Promise<TokenReceiptFile> =>
      dialogue(signed.op.home, async (far) => {
        await sendFrame(far, frameOf({ v: 1, ask: 'apply', ...signed, bytes: list.length }))
        const early = await sendPieces(far, list)
        const { file } = readAnswer('receipt', early ?? (await nextFrame(far)))
        return checkedFile(store, file, opDigest(signed.op))
      }),

    /** The receipt of an op again, with its proof as it is now. */
    receipt: async (home: string, zid: string, digest: string): Promise<TokenReceiptFile> => {
      const proof = await proofOf(zid, home)
      return dialogue(home, async (far) => {
        const { file } = await asked(far, { ask: 'receipt', zid, proof, op_digest: digest }, 'receipt')
        return checkedFile(store, file, digest)
      })
    },

    /** The list of an op. */
    list: async ({ op }: SignedOp, zid: string): Promise<TokenList> => {
      const proof = await proofOf(zid, op.home)
      const question = { ask: 'list', zid, proof, op_digest: opDigest(op) }
      return dialogue(op.home, async (far) => {
        const list = await pieces(far, question, 'list')
        if (countOf(list) !== op.count || (await rootOfLong(list)) !== op.tokens_root) {
          throw doubt('The list does not have the root that its op names.')
        }
        return list
      })
    },

    /** The bundle of a token, as bytes and as what they say. */
    bundle: async (home: string, zid: string, tokenId: string): Promise<FetchedBundle> => {
      const proof = await proofOf(zid, home)
      return dialogue(home, async (far) => {
        const bytes = await pieces(far, { ask: 'bundle', zid, proof, token_id: tokenId }, 'bundle')
        return checkedBundle(store, bytes, { home, tokenId })
      })
    },

    /** The bundles of some tokens: of the first so many that the home gives at once. @throws ToldFault, Unanswered */
    bundles: async (home: string, zid: string, tokenIds: readonly string[]): Promise<FetchedBundles> => {
      const proof = await proofOf(zid, home)
      const told = await dialogue(home, async (far) => {
        const { sizes } = await asked(far, { ask: 'bundles', zid, proof, token_ids: tokenIds }, 'bundles')
        const total = sizes.reduce((sum, size) => sum + size, 0)
        if (sizes.length > tokenIds.length || (sizes.length > 1 && total > BUNDLES_BYTES_MAX)) {
          throw doubt('These are more bundles than come at once.')
        }
        return { sizes, bytes: await takePieces(far, total) }
      })
      return checkedBundles(store, told, { home, tokenIds })
    },

    /** What a home says of tokens of a ZID now: those that are left out are not its. */
    state: async (home: string, zid: string, tokenIds: readonly string[]): Promise<SignedState> => {
      const proof = await proofOf(zid, home)
      return dialogue(home, async (far) => {
        const { signed } = await asked(far, { ask: 'state', zid, proof, home, token_ids: tokenIds }, 'state')
        const { state } = signed
        const [speaker, wanted] = [speakerOf({ store }, home).node, new Set(tokenIds)]
        const fits = state.home === home && state.zid === zid && nodeOfLog(state.log) === speaker
        if (!fits || !verifyState(signed)) throw doubt('The state is not signed by the home of the tokens.')
        if (Math.abs(state.mesh_tick - store.now().meshTick) > STATE_TICKS) throw doubt('The state is of another time.')
        if (!state.tokens.every((it) => wanted.delete(it.token_id))) throw doubt('The state tells of other tokens.')
        return signed
      })
    },

    /** Tells a node of tokens that came to a ZID of it. @throws Error when it is not there; Fault as it refuses */
    arrived: async (node: string, file: TokenReceiptFile): Promise<void> => {
      await ports()?.talk(node, (wire) => asked(openFar(wire), { ask: 'arrived', file }, 'kept'), signal)
    },
  }
}
export type HomeAsk = ReturnType<typeof createAsk>

/** Whose key signed. */
export const signerZid = ({ public_key }: Pick<SignedOp, 'public_key'>): string => zidOf(fromHex(public_key))
