import { sign } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { SIGNATURE_BYTES, type SignBurst, type SignedBurst } from './sign-burst.ts'

/** The thread of {@link burstSigner}. */
parentPort?.on('message', ({ id, key, bytes, ends }: SignBurst) => {
  const signatures = new Uint8Array(ends.length * SIGNATURE_BYTES)
  let from = 0
  for (const [i, end] of ends.entries()) {
    signatures.set(sign(null, bytes.subarray(from, end), key), i * SIGNATURE_BYTES)
    from = end
  }
  const signed: SignedBurst = { id, signatures }
  parentPort?.postMessage(signed, [signatures.buffer])
})
