import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { SIGNATURE_BYTES, type SignBurst, type SignedBurst } from './sign-burst.ts'

const THREAD = new URL('./sign-thread.node.ts', import.meta.url)
/** A thread signs and does nothing else. */
const HEAP_MEGABYTES_MAX = 32
const YOUNG_MEGABYTES_MAX = 4

/** Signatures in the order of their messages. @throws Error when the thread has ended */
export type SignMany = (key: KeyObject, messages: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>

interface Waiting {
  readonly resolve: (signed: SignedBurst) => void
  readonly reject: (cause: unknown) => void
}

/** A thread that signs what is asked for together. It lets the process end. */
const startThread = (onEnd: () => void) => {
  const worker = new Worker(THREAD, {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES_MAX, maxYoungGenerationSizeMb: YOUNG_MEGABYTES_MAX },
  })
  const waiting = new Map<number, Waiting>()
  let count = 0

  const lose = (cause: unknown): void => {
    onEnd()
    for (const { reject } of waiting.values()) reject(cause)
    waiting.clear()
  }
  worker.on('error', lose)
  worker.on('exit', (code) => lose(new Error(`the thread that signs ended with ${code}`)))
  worker.on('message', (signed: SignedBurst) => {
    waiting.get(signed.id)?.resolve(signed)
    waiting.delete(signed.id)
    if (waiting.size === 0) worker.unref()
  })
  return (key: KeyObject, messages: readonly Uint8Array[]): Promise<SignedBurst> =>
    new Promise((resolve, reject) => {
      const id = count++
      const bytes = new Uint8Array(messages.reduce((sum, it) => sum + it.length, 0))
      let end = 0
      const ends = messages.map((it) => {
        bytes.set(it, end)
        end += it.length
        return end
      })
      const burst: SignBurst = { id, key, bytes, ends }
      waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage(burst, [burst.bytes.buffer])
    })
}

let thread: ReturnType<typeof startThread> | undefined

/** Signs many messages in the one thread of this process that does so, which begins with the first of them. */
export const signMany: SignMany = async (key, messages) => {
  thread ??= startThread(() => {
    thread = undefined
  })
  const { signatures } = await thread(key, messages)
  return messages.map((_, i) => signatures.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES))
}
