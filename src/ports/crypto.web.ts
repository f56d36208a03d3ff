import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes as drawBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { CryptoPort } from './crypto.ts'

export { ed25519KeyIsSound, ed25519Recompute as ed25519Verify } from './edwards.ts'

export const sha256: CryptoPort['sha256'] = (data) => nobleSha256(data)

export const sha256OfText: CryptoPort['sha256OfText'] = (text) => bytesToHex(nobleSha256(utf8ToBytes(text)))

export const hmacSha256: CryptoPort['hmacSha256'] = (key, data) => hmac(nobleSha256, key, data)

export const randomBytes: CryptoPort['randomBytes'] = (count) => drawBytes(count)

export const ed25519PublicKey: CryptoPort['ed25519PublicKey'] = (seed) => ed25519.getPublicKey(seed)

export const ed25519Sign: CryptoPort['ed25519Sign'] = (seed, message) => ed25519.sign(message, seed)
