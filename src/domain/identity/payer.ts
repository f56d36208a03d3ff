import type { Caller } from '#core/caller.ts'
import type { Signer } from '#ports/crypto.ts'
import type { Store } from '#store/store.ts'
import { ownerKeyOf } from './succession.ts'

/**
 * Who pays for what the node does by itself for an account, as that account would ask for it.
 *
 * @param keyId what is done, in place of the key that somebody would have shown.
 */
export const payerFor = (
  { store, signer }: { readonly store: Pick<Store, 'eras'>; readonly signer: Pick<Signer, 'publicKey'> },
  zid: string,
  keyId: string,
): Caller => ({
  kind: ownerKeyOf(store, signer.publicKey).zid === zid ? 'owner' : 'account',
  ...{ bucket: '', zid, keyId, account: zid, shared: false },
})
