import { fromHex } from '#core/bytes.ts'
import { publicKeyOfSeed, zidOf } from '#core/keys.ts'
import { entryHash } from '#core/machine.ts'
import { replayTally } from '#core/token-ranges.ts'
import { assertTxSigned, txDigest, txEntryFault } from '#core/tx.ts'
import { each, same, type Vectors } from './vector.ts'

/** Transactions that members sign, with their entries, and entries that prove nothing. */
export const tx: Vectors = (it) => [
  () => zidOf(publicKeyOfSeed(fromHex(it.seed))) === it.signer,
  ...each(it.taken, ({ tx: signed, digest, body }) => {
    const isSigned = txDigest(signed) === digest && assertTxSigned(signed) === it.signer
    return isSigned && txEntryFault(it.machine, { body }) === undefined
  }),
  ...each(it.refused, ({ body, why }) => txEntryFault(it.machine, { body }) === why),
]

/** A chain that tells of a token, and the same with one entry said otherwise. */
export const tally: Vectors = (it) => [
  ...each(it.chain.slice(1), ({ previous }, i) => previous === entryHash(it.chain[i])),
  () => {
    const { balances, broken = null, ...sums } = replayTally(it.chain)
    return same({ ...sums, balances: Object.fromEntries(balances), broken }, it.found)
  },
  ...each(it.refused, ({ at, body, broken }) =>
    same(replayTally(it.chain.with(at, { ...it.chain[at], body })).broken, broken),
  ),
]
