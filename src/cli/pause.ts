import { setTimeout as sleep } from 'node:timers/promises'

/** Waits. @throws the signal's reason when it aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
