import { useEffect, useState } from 'preact/hooks'
import type { PageSession } from '#ui/session.ts'

/** Time after the last change, so that a number is not quoted digit by digit. */
const SETTLE_MS = 400

/** What several runs cost and take together, and how many of them would be refused. */
export interface Total {
  readonly credits: number
  readonly seconds: number
  readonly refused: number
}

/** What runs on these inputs cost together; nothing runs. */
export const useTotal = (session: PageSession, path: string, inputs: readonly object[]): Total | undefined => {
  const [total, show] = useState<Total>()
  useEffect(() => {
    show(undefined)
    if (inputs.length === 0) return
    const over = new AbortController()
    const { signal } = over
    const ask = async (): Promise<void> => {
      let sum: Total = { credits: 0, seconds: 0, refused: 0 }
      for (const input of inputs) {
        try {
          const order = { route: `POST ${path}`, input: input as Readonly<Record<string, unknown>> }
          const { price, expected_seconds: seconds } = await session.call('POST /api/quote', order, { signal })
          sum = { ...sum, credits: sum.credits + price, seconds: sum.seconds + seconds }
        } catch {
          if (signal.aborted) return
          sum = { ...sum, refused: sum.refused + 1 }
        }
      }
      show(sum)
    }
    const timer = setTimeout(() => void ask(), SETTLE_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [session, path, inputs])
  return total
}
