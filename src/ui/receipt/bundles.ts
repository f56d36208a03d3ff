import { ApiProblem, type Credential, send } from '#ui/server/api.ts'

/** Attempts to get a bundle before its tick must long be over. */
const ATTEMPTS_MAX = 12
const PAUSE_MS = 500

const pause = (signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PAUSE_MS)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}

/** The bundle of an envelope, as soon as a checkpoint covers it. @throws ApiProblem */
export const fetchBundle = async (token: string, credential: Credential, signal: AbortSignal): Promise<unknown> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(`/api/envelopes/${token}/bundle`, { credential, signal })
    } catch (error) {
      const early = error instanceof ApiProblem && error.problem['retryable'] === true
      if (!early || attempt >= ATTEMPTS_MAX || signal.aborted) throw error
      await pause(signal)
    }
  }
}

/** Hands a JSON document to the browser as a download. */
export const download = (name: string, value: unknown): void => {
  const link = document.createElement('a')
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(value)}\n`], { type: 'application/json' }))
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
