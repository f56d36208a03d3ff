import { useEffect } from 'preact/hooks'

/** A file on its way to the view that verifies: dropped, pasted or chosen somewhere else on the page. */
let waiting: File | undefined
const takers = new Set<(file: File) => void>()

/** Leads to the view that verifies, with a file. */
export const verifyFile = (file: File): void => {
  const [taker] = takers
  if (taker === undefined) waiting = file
  else taker(file)
  location.hash = 'verify'
}

/** Takes files that are handed over, the one that waits first. */
export const useHanded = (take: (file: File) => void): void => {
  useEffect(() => {
    takers.add(take)
    if (waiting !== undefined) take(waiting)
    waiting = undefined
    return () => void takers.delete(take)
  }, [])
}
