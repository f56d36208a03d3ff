const POLL_MS = 10

/**
 * Waits for what another process or thread will do: asks again and again until the probe gives something other than
 * undefined or false. It ends at the latest with the test's own time, for `signal` is the one the test was given.
 * Where an event or a promise tells the moment, wait for that instead.
 */
export const until = async <T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  signal: AbortSignal,
): Promise<T> => {
  for (;;) {
    signal.throwIfAborted()
    const found = await probe()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
