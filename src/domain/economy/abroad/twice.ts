import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { misfit } from '#core/schema.ts'
import { type TokenEvidence, type TokenProof, tokenEvidenceOf, tokenProofSchema } from '#core/token/evidence.ts'
import { heirsOf } from '#domain/network/succession.ts'
import { keepTokenProof, tokenProofOf } from '#domain/network/token-evidence.ts'
import { homePart } from '#store/away.ts'
import type { Store } from '#store/store.ts'
import { type AbroadContext, speakerOf } from './context.ts'
import { listOf, type Twice } from './keep.ts'

/** Evidence that is told in so many ticks: whoever has an account here must not fill the event log by it. */
const TOLD_MAX = 64
const TOLD_TICKS = 1_287

/**
 * Evidence with what it leans on: the successions from the home's key to the last that signed. Undefined where these
 * are more than evidence may bring.
 */
const wholeOf = ({ peek }: Pick<Store, 'peek'>, home: string, evidence: TokenEvidence): TokenProof | undefined => {
  const heirs = heirsOf({ get: peek }, nodeOfLog(home))
  const last = Math.max(...evidence.receipts.map(({ receipt }) => heirs.indexOf(nodeOfLog(receipt.log))))
  const claims = heirs.slice(0, last).flatMap((it) => peek('successor', it)?.claims ?? [])
  const proof = { ...evidence, successions: claims.map((it) => ({ ...it, path: [...it.path] })) }
  return misfit(tokenProofSchema, proof) === undefined ? proof : undefined
}

/** What this node does with proof that a home spent a token twice; one of each home is enough. */
export const createTwice = ({ store, ports }: Pick<AbroadContext, 'store' | 'ports'>) => {
  let told: number[] = []

  const heldOf = async (digest: string) => {
    const row = await store.get('awayMove', digest)
    return row === undefined ? undefined : { ...row, list: await listOf(store, digest) }
  }

  /** Tells all, in an event of this node's; where that cannot be, it is kept all the same. */
  const tell = async (proof: TokenProof): Promise<void> => {
    const { meshTick } = store.now()
    told = told.filter((tick) => meshTick - tick < TOLD_TICKS)
    const accuse = ports()?.accuse
    if (accuse !== undefined && told.length < TOLD_MAX) {
      try {
        await accuse(proof)
        told.push(meshTick)
        return
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        ports()?.log.warn({ error }, 'token_evidence_untold')
      }
    }
    await store.commit((tx) => keepTokenProof(tx, proof))
  }

  /** Keeps what is known against some homes for good: tokens of theirs are held here. */
  const hold = async (homes: ReadonlySet<string>): Promise<void> => {
    for await (const [place, home] of store.range('awayEvidenceSlot')) {
      if (!homes.has(home)) continue
      await store.commit((tx) => {
        if (tx.get('awayEvidenceSlot', place) === home) tx.del('awayEvidenceSlot', place)
      })
    }
  }

  return {
    /** Two ops that a home applied to one token at one count of its changes were met here. */
    found: async ({ token_id, spend_seq, digests }: Twice): Promise<void> => {
      const [one, other] = [await heldOf(digests[0]), await heldOf(digests[1])]
      if (one === undefined || other === undefined) return
      const { home } = one.op
      const evidence = tokenEvidenceOf(one, other, speakerOf({ store }, home).known)
      if (evidence === undefined) return
      ports()?.log.warn({ home, token_id, spend_seq, ops: digests }, 'token_spent_twice')
      const proof = tokenProofOf({ get: store.peek }, home) === undefined ? wholeOf(store, home, evidence) : undefined
      if (proof !== undefined) await tell(proof)
      await hold(new Set([homePart(home)]))
    },

    /** Looks whether tokens are held of homes whose evidence could be given up. */
    look: async (): Promise<void> => {
      let any = false
      for await (const _ of store.range('awayEvidenceSlot', { limit: 1 })) any = true
      if (!any) return
      const homes = new Set<string>()
      for await (const [, { state }] of store.range('awayState')) homes.add(homePart(state.home))
      await hold(homes)
    },
  }
}
