import { useEffect, useState } from 'preact/hooks'

/** Time between attempts to fetch a piece of the page. */
const AGAIN_EVERY_MS = 2000

/**
 * Fetches code of the page until it is here.
 *
 * @param key of what is fetched; another one begins anew.
 * @param here whether it is here already.
 * @returns whether it did not come when it was asked for last.
 */
export const useCode = (key: string, here: boolean, load: () => Promise<unknown>): boolean => {
  const [, draw] = useState(0)
  const [missing, miss] = useState(false)
  useEffect(() => {
    if (here) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const come = (): void => {
      if (over) return
      miss(false)
      draw((it) => it + 1)
    }
    const fail = (): void => {
      if (over) return
      miss(true)
      timer = setTimeout(fetch, AGAIN_EVERY_MS)
    }
    const fetch = (): void => void load().then(come, fail)
    fetch()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [key, here])
  return missing
}
