import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { ed25519PublicKey } from './crypto.node.ts'
import type { Signer } from './crypto.ts'
import { signMany } from './sign-bursts.node.ts'

// PKCS #8 header of an Ed25519 seed (RFC 8410).
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Signatures asked for in one turn of the loop that go to a thread together. One by one each wakes a thread of
 * libuv's, and all of those compete with the loop for the processors: ten times what a share of one message takes.
 */
const BURST_MIN = 16

interface Asked extends PromiseWithResolvers<Uint8Array> {
  readonly bytes: Uint8Array
}

const signOne = (key: KeyObject, { bytes, resolve, reject }: Asked): void =>
  sign(null, bytes, key, (error, signature) => {
    if (error === null) resolve(new Uint8Array(signature))
    else reject(error)
  })

const signBurst = async (key: KeyObject, burst: readonly Asked[]): Promise<void> => {
  try {
    const bytes = burst.map((it) => it.bytes)
    for (const [i, signature] of (await signMany(key, bytes)).entries()) burst[i]?.resolve(signature)
  } catch {
    // A thread that could not begin, or has ended, leaves them to those that are always there.
    for (const it of burst) signOne(key, it)
  }
}

/**
 * A signer of a 32-byte Ed25519 seed that works on other threads, so a batch of claims is signed beside the event loop,
 * which goes on meanwhile.
 */
export const createSigner = (seed: Uint8Array): Signer => {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: 'der', type: 'pkcs8' })
  let asked: Asked[] = []
  const send = (): void => {
    const now = asked
    asked = []
    if (now.length >= BURST_MIN) void signBurst(key, now)
    else for (const it of now) signOne(key, it)
  }
  return {
    publicKey: ed25519PublicKey(seed),
    sign: (bytes) => {
      const one = { bytes, ...Promise.withResolvers<Uint8Array>() }
      if (asked.push(one) === 1) queueMicrotask(send)
      return one.promise
    },
  }
}
