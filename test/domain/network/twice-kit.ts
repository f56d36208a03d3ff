import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { logName } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed, signValue, zidOf } from '#core/keys.ts'
import type { ProvenSuccession } from '#core/succession.ts'
import { type HeldReceipt, tokenEvidenceOf } from '#core/token/evidence.ts'
import { packSorted, tokensRoot } from '#core/token/list.ts'
import { opPurpose, type TokenOp } from '#core/token/op.ts'
import { receiptOf, signReceipt } from '#core/token/receipt.ts'
import type { Random } from '../../kit/random.ts'
import { GENESIS } from './party.ts'

export interface TwiceOptions {
  /** Seed of the home's key. */
  readonly home: Uint8Array
  /** Seed of the key that signs the receipts: the home's unless another succeeded it. */
  readonly by?: Uint8Array
  /** Leaf of the first of the two; the other stands right behind it. */
  readonly index?: number
  /** What is known to lead from one key to the other. */
  readonly successions?: readonly ProvenSuccession[]
}

/** One op on a token that nobody minted, and what its home says of it. */
const heldBy = (random: Random, token_id: string, { home, by = home, index = 4 }: TwiceOptions): HeldReceipt => {
  const [owner, other] = [random.bytes(32), random.bytes(32)]
  const list = packSorted([{ token_id, spend_seq: 0 }])
  const [homeLog, log] = [home, by].map((seed) => logName(nodeIdOf(publicKeyOfSeed(seed)), GENESIS))
  const op = {
    ...{ home: homeLog, op: 'transfer', tokens_root: tokensRoot(list), count: 1, until: null },
    ...{ to: zidOf(publicKeyOfSeed(other)), mesh_tick: GENESIS, valid_to: GENESIS + 100 },
  } as TokenOp
  const receipt = receiptOf(op, { log: log ?? '', index, weight: 3, meshTick: GENESIS + 1 })
  return {
    ...{ op, list, receipt, public_key: toHex(publicKeyOfSeed(owner)) },
    signature: signValue(owner, opPurpose(op), op as unknown as Json),
    receipt_signature: signReceipt(by, receipt),
  }
}

/** Evidence, as it goes to all, of a home that spent a token twice. */
export const spentTwice = (random: Random, options: TwiceOptions) => {
  const { index = 4, successions = [] } = options
  const token_id = toHex(random.bytes(16))
  const [one, other] = [index, index + 1].map((at) => heldBy(random, token_id, { ...options, index: at }))
  assert.ok(one !== undefined && other !== undefined)
  const evidence = tokenEvidenceOf(one, other, successions)
  assert.ok(evidence !== undefined, 'two receipts take one place')
  return { ...evidence, successions: successions.map((it) => ({ ...it, path: [...it.path] })) }
}
