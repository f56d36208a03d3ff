import { useEffect, useRef, useState } from 'preact/hooks'
import { type Query, sameQuery, tellQuery } from '#ui/address.ts'
import { askedIn, type BoxQuestion, queryOf } from './reading.ts'
import { useSettled } from './use-settled.ts'

/** Time after the last key stroke at which the address is told. */
const TELL_AFTER_MS = 400

interface Place {
  /** The place in the address that carries it. */
  readonly at: string
  readonly query: Query
  readonly shown: boolean
}

/**
 * What is asked, which the address carries: reload, back and share agree. What was run stays a step to come back to.
 */
export const useAsked = ({ at, query, shown }: Place) => {
  const [asked, ask] = useState<BoxQuestion>(() => askedIn(query))
  const told = useRef(query)
  const wasShown = useRef(shown)
  const ran = useRef(false)
  useEffect(() => {
    const back = shown && !wasShown.current
    wasShown.current = shown
    if (!shown || sameQuery(query, told.current)) return
    // Who comes back by the plain link finds what was left here.
    if (back && Object.keys(query).length === 0) tellQuery(at, told.current)
    else {
      told.current = query
      ask(askedIn(query))
    }
  }, [query, shown])
  const tell = (next: Query): void => {
    if (sameQuery(next, told.current)) return
    told.current = next
    tellQuery(at, next, ran.current)
    ran.current = false
  }
  const settled = useSettled(asked, TELL_AFTER_MS)
  useEffect(() => {
    if (shown && settled === asked) tell(queryOf(settled))
  }, [settled, shown])
  return {
    asked,
    ask,
    /** Says that it was run: what is asked next is another step. */
    onRun: (): void => {
      // Before the typing has settled: what is run is the step, and not what was typed before it.
      tell(queryOf(asked))
      ran.current = true
    },
  }
}
