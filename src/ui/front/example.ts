import { useEffect, useRef } from 'preact/hooks'

/** Examples are pressed beside the box that runs them. */
const RUN = 'tickmesh:example'

/** Puts a question into the box that is seen, and runs it. */
export const runExample = (text: string): void => void dispatchEvent(new CustomEvent(RUN, { detail: text }))

/** Takes examples that are pressed while the box is seen. */
export const useExample = (take: (text: string) => void, shown: boolean): void => {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    if (!shown) return
    const run = (event: Event): void => latest.current(String((event as CustomEvent).detail))
    addEventListener(RUN, run)
    return () => removeEventListener(RUN, run)
  }, [shown])
}
