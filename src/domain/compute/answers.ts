import { toHex } from '#core/bytes.ts'
import { parseCanonical } from '#core/canonical.ts'
import type { Claim, Envelope } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { envelopeLeaf } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { leafHash } from '#core/merkle.ts'
import type { ItemPlace } from '#domain/economy/economy.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import { cosignedOf, witnessedAt } from '#store/cosigned.ts'
import { type KeptReader, keptOf, type Stamp } from '#store/kept.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Minted } from './seal.ts'
import type { Checked } from './task.ts'
import type { CheckedAnswer, ComputePorts, Sealed } from './types.ts'
import type { CheckView } from './views/receipt.ts'

/** What a stored envelope proves, and what is kept of it. */
export interface StoredEvidence {
  readonly row: EnvelopeRow
  readonly kept: KeptReader
  readonly stamp: Stamp
  readonly envelope: Envelope
}

/** What the caller of a computation is told, fresh from the seal or from what was stored. */
export interface Answers {
  checked(checked: Checked): CheckedAnswer & { readonly precisionActual: number; readonly check: CheckView }
  fresh(checked: Checked, minted: Minted): Sealed
  /** The stored answer of an envelope. @throws Fault NOT_FOUND */
  recall(tokenId: string): Promise<Sealed>
  /** Claim, signature, tick receipt and equations of an envelope, with what they were read from. */
  evidence(tokenId: string): Promise<StoredEvidence>
}

const notFound = (): Fault => new Fault('NOT_FOUND', 'No envelope has this token id, or none this caller may see.')

/** Claim and signature inside an envelope's leaf. */
export const openLeaf = (leaf: Uint8Array): { readonly claim: Claim; readonly signature: string } =>
  parseCanonical(leaf.subarray(purposes.envelope.length + 1)) as unknown as { claim: Claim; signature: string }

const checkOf = ({ check }: Claim, figures: Readonly<Record<string, number>>): CheckView => ({ ...check, figures })

/** Answers of one node's store. */
export const createAnswers = ({ store, economy }: Pick<ComputePorts, 'store' | 'economy'>): Answers => {
  const evidence: Answers['evidence'] = async (tokenId) => {
    const row = await store.get('envelope', tokenId)
    if (row === undefined) throw notFound()
    const { log, index } = store.leafAt(row.index)
    const kept = keptOf(store, row)
    const [leaf, stamp] = await Promise.all([log.leaf(index), kept.stamp()])
    if (leaf === undefined || stamp === undefined) throw new Error(`envelope ${tokenId} lacks its leaf or its receipt`)
    const { tick_receipt, equations } = stamp
    return { row, kept, stamp, envelope: { ...openLeaf(leaf), tick_receipt, equations } }
  }

  /** What an envelope repeats of its claim. */
  const said = ({ value, unit, nonce }: Claim): Pick<ItemPlace, 'value' | 'unit' | 'nonce'> => ({ value, unit, nonce })

  const checkedAnswer: Answers['checked'] = ({ value, unit, output, extras, reality }) => ({
    value,
    unit,
    output,
    extras,
    precisionActual: reality.errorPct,
    check: { against: reality.against, measured: reality.errorPct, bound: ERROR_PCT_MAX, figures: reality.figures },
  })

  return {
    checked: checkedAnswer,
    evidence,
    fresh: (checked, { row, hash, evidence: envelope }) => {
      const item = economy.show(row, {
        log: store.log.origin,
        index: envelope.claim.index,
        hash,
        state: 'promised',
        late: false,
        witnessed: 0,
        ...said(envelope.claim),
      })
      return { kind: 'sealed', ...checkedAnswer(checked), envelope: item, evidence: envelope, replayed: false }
    },
    recall: async (tokenId) => {
      const { row, kept, stamp, envelope } = await evidence(tokenId)
      const { claim, signature } = envelope
      const hash = toHex(leafHash(envelopeLeaf(claim, signature)))
      const { log, index } = store.leafAt(row.index)
      const state = await log.stateOf(index)
      const witnessed = witnessedAt(cosignedOf(store, log.name), index)
      return {
        kind: 'sealed',
        output: (await kept.output()) ?? '{}',
        extras: stamp.extras,
        value: claim.value,
        unit: claim.unit,
        precisionActual: claim.precisionActual,
        check: checkOf(claim, stamp.figures),
        envelope: economy.show(row, { log: log.origin, index, hash, ...state, witnessed, ...said(claim) }),
        evidence: envelope,
        replayed: false,
      }
    },
  }
}
