import { useEffect, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import type { PageSession } from '#ui/session.ts'

/** Time after the last key stroke, so that a number is not quoted digit by digit. */
const SETTLE_MS = 250

export interface Quoted {
  readonly quote?: ResultAt<'POST /api/quote'>
  /** Why the run would be refused. */
  readonly problem?: Error
}

/** What a run would cost, or why it would be refused; nothing runs. @param input undefined while there is none. */
export const useQuote = (session: PageSession, path: string, input: object | undefined): Quoted => {
  const [quoted, show] = useState<Quoted>({})
  useEffect(() => {
    if (input === undefined) {
      show({})
      return
    }
    const over = new AbortController()
    const { signal } = over
    const ask = async (): Promise<void> => {
      const order = { route: `POST ${path}`, input: input as Readonly<Record<string, unknown>> }
      try {
        show({ quote: await session.call('POST /api/quote', order, { signal }) })
      } catch (error) {
        if (!signal.aborted) show({ problem: error as Error })
      }
    }
    const timer = setTimeout(() => void ask(), SETTLE_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [session, path, input])
  return quoted
}
