import { type TokenEvidence, tokenEvidenceOf } from '#core/token/evidence.ts'
import { homePart } from '#store/away.ts'
import { type AbroadContext, speakerOf } from './context.ts'
import { listOf, type Twice } from './keep.ts'

/** Keeps proof of a home that spent a token twice; one of each home is enough. */
export const createTwice = ({ store, ports }: AbroadContext) => {
  const heldOf = async (digest: string) => {
    const row = await store.get('awayMove', digest)
    return row === undefined ? undefined : { ...row, list: await listOf(store, digest) }
  }
  return async ({ token_id, spend_seq, digests }: Twice): Promise<TokenEvidence | undefined> => {
    const [one, other] = [await heldOf(digests[0]), await heldOf(digests[1])]
    if (one === undefined || other === undefined) return undefined
    const { home } = one.op
    const evidence = tokenEvidenceOf(one, other, speakerOf({ store }, home).known)
    if (evidence === undefined) return undefined
    await store.commit((tx) => {
      if (tx.get('awayEvidence', homePart(home)) === undefined) tx.put('awayEvidence', homePart(home), evidence)
    })
    ports()?.log.warn({ home, token_id, spend_seq, ops: digests }, 'token_spent_twice')
    return evidence
  }
}
