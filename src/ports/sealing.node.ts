import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Bytes of a sealing key, of the random nonce in front of a sealed value, and of the tag behind it. */
export const SEALING_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals small secrets at rest: AES-256-GCM under one key, a random nonce each, bound to a context. */
export interface SecretSealer {
  /** Nonce, ciphertext and tag. `context` is not stored; opening needs the same. */
  seal(plain: Uint8Array, context: Uint8Array): Uint8Array
  /** @throws Error when key, context or bytes are not those of the sealing. */
  open(sealed: Uint8Array, context: Uint8Array): Uint8Array
}

/** @param key 32 bytes. */
export const createSealing = (key: Uint8Array): SecretSealer => {
  if (key.length !== SEALING_KEY_BYTES) throw new RangeError(`A sealing key has ${SEALING_KEY_BYTES} bytes.`)
  return {
    seal: (plain, context) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context)
      return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]))
    },
    open: (sealed, context) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new RangeError('A sealed value is longer.')
      const end = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
      decipher.setAAD(context).setAuthTag(sealed.subarray(end))
      return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]))
    },
  }
}
