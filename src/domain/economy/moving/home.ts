import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import type { Signer } from '#core/keys.ts'
import { countOf, type TokenList } from '#core/token/list.ts'
import { assertSignedOp, opDigest, type SignedOp } from '#core/token/op.ts'
import { receiptOf } from '#core/token/receipt.ts'
import { seqKey, seqOf } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import { type AppliedMove, createAppend, type InBatch } from './append.ts'
import { createIntents, type Intents } from './intents.ts'
import { rootOfLong } from './lists.ts'
import { createLong } from './long.ts'
import type { Successions } from './rows.ts'
import { createShort, SHORT_TOKENS_MAX } from './short.ts'
import { createTurns } from './turns.ts'
import { createWithhold, type Fall } from './withhold.ts'

/** How an op is applied. */
export interface ApplyOptions {
  readonly beside?: InBatch
  /** This node made the signature and the root of the list just now: neither is worked out again. */
  readonly signedHere?: boolean
}

/** The home of the tokens that this node minted: it alone orders their changes. */
export interface Home {
  /** Whether a log is one of this node's: the present one, or that of a key that this one succeeded. */
  isOwn(log: string): boolean
  /**
   * Applies an op whole or not at all. The same op again gives the same receipt.
   *
   * @param how what belongs to its batch, and whether this node signed it itself, in this call.
   * @throws Fault BAD_SIGNATURE, INVALID_INPUT, OP_EXPIRED, and what `moved` says of the first token that refuses.
   */
  apply(signed: SignedOp, list: TokenList, how?: ApplyOptions): Promise<AppliedMove>
  /** An op that was applied, by its digest. */
  applied(digest: string): Promise<AppliedMove | undefined>
  /** The op whose leaf has a serial number. */
  at(serial: number): Promise<AppliedMove | undefined>
  /** A token's row as it is by all ops whose leaves are durable, whether or not their rows are. */
  through(row: EnvelopeRow): EnvelopeRow
  /** Withholds what of a bond has its home here. @throws Fault NODE_BUSY */
  withhold(fall: Fall): Promise<void>
  /** Resolves when the rows of a list are what the leaves say. */
  settled(list: string): Promise<void>
  /** Whether a long move holds a list now. */
  held(list: string): boolean
  /** What a long move under way does to a list, as `Intents.passage` says it. */
  passage: Intents['passage']
  /**
   * Takes up what a crash cut off; call it before anything else is asked. @returns when all rows are written: until
   * then only the lists that are concerned wait.
   */
  resume(): Promise<{ readonly rows: Promise<void> }>
}

export interface HomeOptions {
  readonly store: Store
  readonly signer: Signer
  readonly known: Successions
}

/** Ops on the tokens that this node minted. */
export const createHome = ({ store, signer, known }: HomeOptions): Home => {
  const turns = createTurns()
  const intents = createIntents(store, known)
  const options = { store, turns, known, append: createAppend(store, signer) }
  const applyShort = createShort(options)
  const applyLong = createLong({ ...options, intents })

  const at = async (serial: number): Promise<AppliedMove | undefined> => {
    const row = await store.get('move', seqKey(serial))
    if (row === undefined) return undefined
    const { log, index } = store.leafAt(serial)
    const { op, weight, mesh_tick: meshTick, digest } = row
    return { row, serial, receipt: receiptOf(op, { log: log.origin, index, weight, meshTick, digest }) }
  }
  const applied = async (digest: string): Promise<AppliedMove | undefined> => {
    const serial = store.peek('moveByDigest', digest)
    return serial === undefined ? undefined : at(seqOf(serial))
  }

  return {
    isOwn: (log) =>
      log === store.log.origin || store.eras.some((it) => it.succession !== undefined && it.log.origin === log),
    apply: async (signed, list, { beside, signedHere = false } = {}) => {
      const { op } = signed
      if (!signedHere) assertSignedOp(signed)
      const digest = opDigest(op)
      // The transaction looks as well: this spares the work, of which there is little where the op is fresh.
      const before = signedHere ? undefined : await applied(digest)
      if (before !== undefined) return before
      if (!signedHere && (countOf(list) !== op.count || (await rootOfLong(list)) !== op.tokens_root)) {
        throw new Fault('INVALID_INPUT', 'The list does not have the root and count that the op names.')
      }
      const done = await (op.count <= SHORT_TOKENS_MAX ? applyShort : applyLong)(signed, list, { digest, beside })
      const made = typeof done === 'number' ? await at(done) : done
      assert(made !== undefined, 'an applied op has its row')
      return made
    },
    applied,
    at,
    withhold: createWithhold(store, turns),
    through: intents.through,
    settled: (list) => turns.free([list]),
    held: (list) => turns.held([list]),
    passage: intents.passage,
    resume: () => intents.resume(turns.hold),
  }
}
