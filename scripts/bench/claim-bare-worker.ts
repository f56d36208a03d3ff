import { sha256 } from '#crypto'

/** Hashes between two looks at the clock. */
const HASHES_PER_LOOK = 512

/** A bare loop of the platform's hash over one message, for some time. Answers hashes per second. */
addEventListener('message', ({ data }: MessageEvent<{ message: number[]; ms: number }>) => {
  const { ms } = data
  const message = Uint8Array.from(data.message)
  const from = performance.now()
  let [hashes, now] = [0, from]
  while (now - from < ms) {
    for (let i = 0; i < HASHES_PER_LOOK; i++) sha256(message)
    hashes += HASHES_PER_LOOK
    now = performance.now()
  }
  postMessage((hashes / (now - from)) * 1_000)
})
