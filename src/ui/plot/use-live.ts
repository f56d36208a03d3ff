import { useEffect, useState } from 'preact/hooks'

type Live = typeof import('./live.ts')

let loaded: Live | undefined

/**
 * What makes plots answer to a hand: loaded with the first plot that is shown, so that the page's first picture does
 * not wait for it. Undefined until then, and where it cannot be loaded: the drawings stand by themselves.
 */
export const useLive = (): Live | undefined => {
  const [live, show] = useState(loaded)
  useEffect(() => {
    if (loaded !== undefined) return show(loaded)
    let over = false
    import('./live.ts').then(
      (it) => {
        loaded = it
        if (!over) show(it)
      },
      () => undefined,
    )
    return () => {
      over = true
    }
  }, [])
  return live
}
