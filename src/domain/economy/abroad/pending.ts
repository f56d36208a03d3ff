import { Fault } from '#core/fault.ts'
import type { TokenList } from '#core/token/list.ts'
import { opDigest, type SignedOp } from '#core/token/op.ts'
import { putList } from '#store/op-lists.ts'
import { signerZid } from './ask.ts'
import type { AbroadContext } from './context.ts'
import { dropList } from './keep.ts'

/** Ops whose answer was lost, of all accounts; beyond this nothing is sent before some are known. */
const PENDING_MAX = 4_096

/** Ops that were sent to other homes and whose answers have not come. */
export const createPending = ({ store }: Pick<AbroadContext, 'store'>) => ({
  /** Keeps an op before it goes out, so that a lost answer is asked for with the same op. @throws Fault NODE_BUSY */
  keep: async (signed: SignedOp, list: TokenList, repeat: string | null): Promise<void> => {
    const digest = opDigest(signed.op)
    let count = 0
    for await (const _ of store.range('awayPending')) count += 1
    if (count >= PENDING_MAX) throw new Fault('NODE_BUSY', 'Too many ops wait for the answers of their homes.')
    await store.commit((tx) => {
      putList(tx.put, 'awayList', { digest, list })
      tx.put('awayPending', digest, { ...signed, zid: signerZid(signed), repeat })
    })
  },

  forget: (digest: string, list: TokenList): Promise<void> =>
    store.commit((tx) => {
      if (tx.get('awayPending', digest) === undefined) return
      tx.del('awayPending', digest)
      if (tx.get('awayMove', digest) === undefined) dropList(tx, digest, list)
    }),

  /** The op that an earlier try of the same call sent, whose answer is not known. */
  of: async (zid: string, repeat: string): Promise<SignedOp | undefined> => {
    for await (const [, { zid: whose, repeat: of, ...signed }] of store.range('awayPending')) {
      if (whose === zid && of === repeat) return signed
    }
    return undefined
  },
})
