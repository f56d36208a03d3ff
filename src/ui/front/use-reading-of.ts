import { useEffect, useState } from 'preact/hooks'
import type { PageSession } from '#ui/session.ts'
import { EXAMPLE } from './questions.ts'
import { type BoxQuestion, inputOfAsked, type Read, readOfProblem, readOfQuote } from './reading.ts'
import { saidIn } from './said.ts'
import { useSettled } from './use-settled.ts'

/** Time after the last key stroke, so that a question is not read letter by letter. */
const SETTLE_MS = 300

const NOTHING: Read = { kind: 'nothing' }

/** A node that nobody asked for a while needs seconds to read the first question: it begins while one types. */
export const wakeReader = (session: PageSession): void => {
  const order = { route: 'POST /api/svc/auto', input: inputOfAsked({ text: EXAMPLE, given: {} }) }
  void session.call('POST /api/quote', order).catch(() => undefined)
}

/** How the node reads a question, live; nothing runs. @param asked undefined while it is not to be read. */
export const useReadingOf = (session: PageSession, asked: BoxQuestion): Read => {
  const now = saidIn(asked.text).kind === 'words' ? JSON.stringify(inputOfAsked(asked)) : ''
  const input = useSettled(now, SETTLE_MS)
  const [found, show] = useState<{ readonly input: string; readonly read: Read }>({ input: '', read: NOTHING })
  useEffect(() => {
    if (input === '') return
    const over = new AbortController()
    const { signal } = over
    const order = { route: 'POST /api/svc/auto', input: JSON.parse(input) as Record<string, unknown> }
    const tell = (read: Read): void => {
      if (!signal.aborted) show({ input, read })
    }
    session.call('POST /api/quote', order, { signal }).then(
      (quote) => tell(readOfQuote(quote)),
      (problem: Error) => tell(readOfProblem(problem)),
    )
    return () => over.abort()
  }, [session, input])
  if (now === '') return NOTHING
  return found.input === now ? found.read : { kind: 'busy' }
}
