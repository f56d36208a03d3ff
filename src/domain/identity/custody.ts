import { fromBase64, utf8 } from '#core/bytes.ts'
import type { Signer } from '#core/keys.ts'
import { createSigner } from '#ports/signer.node.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { NodeKeys } from './node-keys.ts'

/** The key of an account that this node keeps; undefined for one that keeps its own. */
export type Custody = (account: AccountRow) => Signer | undefined

/**
 * Keys that the node signs with for their owners, inside a call that the owner authenticated. The node owner's own key
 * is the identity key, or the one that succeeded it.
 */
export const createCustody =
  ({ signer, vault }: Pick<NodeKeys, 'signer' | 'vault'>): Custody =>
  ({ zid, custody, owner, sealed_seed: sealed }) => {
    if (custody === 'self') return undefined
    if (sealed === null) return owner ? signer : undefined
    return createSigner(vault.open(fromBase64(sealed), utf8(zid)))
  }
