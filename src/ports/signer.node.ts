import { createPrivateKey, sign } from 'node:crypto'
import { ed25519PublicKey } from './crypto.node.ts'
import type { Signer } from './crypto.ts'

// PKCS #8 header of an Ed25519 seed (RFC 8410).
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * A signer of a 32-byte Ed25519 seed that works on libuv's threads, so a batch of claims is signed concurrently and
 * the event loop goes on meanwhile.
 */
export const createSigner = (seed: Uint8Array): Signer => {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: 'der', type: 'pkcs8' })
  return {
    publicKey: ed25519PublicKey(seed),
    sign: (bytes) =>
      new Promise((resolve, reject) => {
        sign(null, bytes, key, (error, signature) => {
          if (error === null) resolve(new Uint8Array(signature))
          else reject(error)
        })
      }),
  }
}
