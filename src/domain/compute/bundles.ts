import { fromUtf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import type { Bundle } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { leafProof } from '#store/leaf-proof.ts'
import type { Answers } from './answers.ts'
import type { ComputePorts } from './types.ts'

const jsonIn = (text: string | undefined): Json | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Json)

/** Puts bundles together: claim, signature, receipt, equations, inputs, output, and the proof that they are logged. */
export const createBundles = ({ store, economy }: Pick<ComputePorts, 'store' | 'economy'>, answers: Answers) => {
  const proofOf = async (serial: number): Promise<string> => {
    const proof = await leafProof(store, serial)
    if (proof !== undefined) return proof
    const restSeconds = TICK_SECONDS * (1 - store.now().phase)
    throw new Fault('NOT_SEALED_YET', undefined, { retry_after_seconds: Math.ceil(restSeconds) })
  }

  /**
   * The evidence of an envelope, whole. Whoever may see the envelope may see what it was made of; what was made without
   * a key of one's own is opened by the claim's nonce.
   *
   * @throws Fault NOT_FOUND; NOT_SEALED_YET until a checkpoint covers the envelope.
   */
  return async (tokenId: string, caller: Caller, nonce?: string): Promise<Bundle> => {
    const away = await economy.awayBundle(tokenId, caller)
    if (away !== undefined) return JSON.parse(fromUtf8(away)) as Bundle
    const { index } = await economy.envelopeRow(tokenId, caller, nonce)
    const proof = await proofOf(index)
    const { kept, stamp, envelope } = await answers.evidence(tokenId)
    const [inputs, output] = (await Promise.all([kept.inputs(), kept.output()])).map(jsonIn)
    const work = await store.get('assured', tokenId)
    return {
      v: 1,
      envelope,
      ...(stamp.question === undefined ? {} : { question: stamp.question }),
      ...(inputs === undefined ? {} : { inputs }),
      ...(work === undefined ? {} : { work }),
      ...(output === undefined ? {} : { result: { output, evidence_digest: stamp.evidence_digest } }),
      proof,
    }
  }
}
