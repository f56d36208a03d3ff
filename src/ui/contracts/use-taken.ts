import { useEffect, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { sleep } from '#core/wait.ts'
import { callOf, framesOf } from '#ui/server/api.ts'
import { isFinal } from '#ui/server/final.ts'
import { seen } from '#ui/server/seen.ts'
import type { PageSession } from '#ui/session.ts'
import type { Which } from './reads.ts'

/** A transition as a stream tells it. */
export type TakenTransitions = ResultAt<'GET /api/chain/{slug}/contracts/{id}/transitions/stream'>

/** Transitions that are listed as they come. */
const TAKEN_MAX = 50
/** Time between attempts to take a lost stream up again. */
const RETRY_MS = 1_000

export interface LiveTaken {
  /** Newest first. */
  readonly taken: readonly TakenTransitions[]
  readonly link: 'opening' | 'live' | 'lost' | 'refused'
}

interface Following {
  readonly session: PageSession
  readonly which: Which
  readonly signal: AbortSignal
  show(change: (old: LiveTaken) => LiveTaken): void
}

/** Follows the stream until it breaks off. @returns the number of the last row that came */
const follow = async ({ session, which, signal, show }: Following, last: string | undefined) => {
  const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) }
  const route = 'GET /api/chain/{slug}/contracts/{id}/transitions/stream'
  const response = await session.request(callOf(route, { ...which }), { headers, signal })
  show((old) => ({ ...old, link: 'live' }))
  let reached = last
  try {
    for await (const { id, event, data } of framesOf<TakenTransitions>(response, signal)) {
      if (id === undefined) continue
      reached = id
      // Where the stream begins, or what it leaves out, is no transition.
      if (event !== 'transition') continue
      show((old) => ({ ...old, taken: [data, ...old.taken].slice(0, TAKEN_MAX) }))
    }
  } catch {
    // What came before the break is kept; the stream is taken up behind it.
  }
  return reached
}

const run = async (following: Following): Promise<void> => {
  const { signal, show } = following
  let last: string | undefined
  while (!signal.aborted) {
    try {
      last = await follow(following, last)
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error)) return show((old) => ({ ...old, link: 'refused' }))
    }
    if (signal.aborted) return
    show((old) => ({ ...old, link: 'lost' }))
    await sleep(RETRY_MS, signal)
    await seen(signal)
  }
}

/** Transitions of a contract as they are taken; a stream that breaks off is taken up where it was. */
export const useTaken = (session: PageSession, { slug, id }: Which): LiveTaken => {
  const [live, show] = useState<LiveTaken>({ taken: [], link: 'opening' })
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    show({ taken: [], link: 'opening' })
    const showHere = (change: (old: LiveTaken) => LiveTaken): void => {
      if (!signal.aborted) show(change)
    }
    run({ session, which: { slug, id }, signal, show: showHere }).catch(() => undefined)
    return () => over.abort()
  }, [session, slug, id])
  return live
}
