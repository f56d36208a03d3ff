import { toBase64Url, utf8 } from '#core/bytes.ts'
import { canonical } from '#core/canonical.ts'
import { sha256 } from '#crypto'
import type { Signer } from '#ports/crypto.ts'
import { createSigner } from '#ports/signer.node.ts'
import type { NodeKeys } from './node-keys.ts'
import type { JwkItem } from './views.ts'

/**
 * The key that signs notifications of contracts. It is another one than the identity key, since what it signs has no
 * purpose string in front but the form that Standard Webhooks gives it; it changes with the node secret.
 */
export const webhookSigner = (keys: Pick<NodeKeys, 'secret'>): Signer => createSigner(keys.secret('webhook'))

/** A public key as a JWK (RFC 8037); its id is its thumbprint (RFC 7638). */
export const jwkOf = (publicKey: Uint8Array): JwkItem => {
  const key = { crv: 'Ed25519', kty: 'OKP', x: toBase64Url(publicKey) } as const
  const kid = toBase64Url(sha256(utf8(canonical(key))))
  return { ...key, kid, use: 'sig', alg: 'EdDSA' }
}
