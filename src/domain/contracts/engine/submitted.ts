import { assert } from '#core/assert.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import type { TxSigned } from '#core/tx.ts'
import { type ContractRequest, findContract, needs } from '#domain/contracts/finding.ts'
import { recordedOf } from '#domain/machines/record.ts'
import type { TxTaken } from '#domain/machines/submitted.ts'
import type { MachineEntryRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { type FiredFire, type FireOrder, namedIn } from './manual.ts'
import { freshFire } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** Creates what tells contracts what members signed. */
export const createContractTx = ({ store, machines }: EngineContext, fired: FiredFire) => ({
  /**
   * Tells a contract what a member signed. Its entry, its nonce and its fire stand in one batch, or none of them; the
   * cause of the fire is the digest of the transaction.
   *
   * @throws Fault as `fireNow`; what `Machines.openTx` and taking it throw
   */
  submit: async (
    { caller, slug }: Pick<ContractRequest, 'caller' | 'slug'>,
    signed: TxSigned & { readonly contract: string },
    signal: AbortSignal,
  ): Promise<TxTaken & { readonly fire: string; readonly outcome: FireRow['outcome'] }> => {
    const { digest: tx, signer, speaker, data, take } = machines.openTx({ caller, slug }, signed)
    const asking = { caller: speaker, slug, id: signed.contract }
    const { row } = findContract({ get: store.peek }, asking, needs.run)
    const { event, to } = signed
    const named = namedIn({ event, data: data as FireOrder['data'] })
    const since = store.now().meshTick
    const wanted = freshFire(row, { cause: { key: tx }, by: signer, since, ...named })
    let entry: MachineEntryRow | undefined
    const enter = (batch: Transaction): void => {
      entry = take(batch)
    }
    const { outcome } = await fired(asking, wanted, { signal, enter, to })
    assert(entry !== undefined, 'a transaction that was taken has its entry')
    return { tx, signer, recorded: recordedOf(slug, entry), fire: wanted.fire, outcome }
  },
})
