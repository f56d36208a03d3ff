import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'

/** The ZID whose choice a credential may read and make. @throws Fault SCOPE_REQUIRED for one without an account. */
const zidOf = (caller: Caller): string => {
  if (caller.kind === 'account' || caller.kind === 'owner') return caller.zid
  throw new Fault('SCOPE_REQUIRED', 'The choice belongs to an account; demo keys have none.', { scope: 'account' })
}

const found = (row: AccountRow | undefined): AccountRow => {
  if (row === undefined) throw new Fault('NOT_FOUND')
  return row
}

/** Whether new envelopes of an account stand in the public record unless a call says otherwise. */
export const createPublishing = (store: Store) => ({
  publishDefault: async (caller: Caller): Promise<boolean> =>
    found(await store.get('account', zidOf(caller))).publish_default,

  setPublishDefault: async (caller: Caller, publish: boolean): Promise<void> => {
    const zid = zidOf(caller)
    await store.commit((tx) => {
      const row = found(tx.get('account', zid))
      if (row.publish_default !== publish) tx.put('account', zid, { ...row, publish_default: publish })
    })
  },
})
