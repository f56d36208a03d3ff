import type { Json } from './canonical.ts'
import { digest, type Purpose } from './digest.ts'
import { Fault } from './fault.ts'
import { type Signer, signValue, signValueWith, verifyByNode } from './keys.ts'

/** A document beside its signature, 128 hex digits. */
type Signed<N extends string, D> = { [K in N]: D } & { signature: string }

/**
 * A kind of document that a node signs and that stands alone: its name and its signature are over one purpose.
 *
 * @param name of the member that holds the document.
 */
export const signedDocument = <N extends string, D extends object>(name: N, purpose: Purpose) => {
  const jsonOf = (document: D): Json => document as unknown as Json
  const beside = (document: D, signature: string): Signed<N, D> =>
    ({ [name]: document, signature }) as unknown as Signed<N, D>
  return {
    /** The document's name: its digest. */
    digest: (document: D): string => digest(purpose, jsonOf(document)),
    sign: (seed: Uint8Array, document: D): Signed<N, D> => beside(document, signValue(seed, purpose, jsonOf(document))),
    /** As `sign`, on the signer's thread. */
    signWith: async (signer: Signer, document: D): Promise<Signed<N, D>> =>
      beside(document, await signValueWith(signer, purpose, jsonOf(document))),
    /** @param role what the node that must have signed is of the document. @throws Fault BAD_SIGNATURE */
    assertBy: (signed: Signed<N, D>, node: string, role: string): void => {
      if (verifyByNode(node, purpose, jsonOf(signed[name]), signed.signature)) return
      throw new Fault('BAD_SIGNATURE', `The ${name} is not signed by its ${role}.`)
    },
  }
}
