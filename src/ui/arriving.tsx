import { useEffect, useState } from 'preact/hooks'
import type { ShowSpot, Spot, ViewProps } from './views.tsx'

/** Time between attempts to fetch a piece of the page. */
const AGAIN_EVERY_MS = 2000

/** What draws a spot, fetched when it is not here yet, and asked for again while it does not come. */
const useShow = (spot: Spot): { readonly show: ShowSpot | undefined; readonly missing: boolean } => {
  const [come, count] = useState(0)
  const [missing, miss] = useState(false)
  const show = spot.ready()
  useEffect(() => {
    if (show !== undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const fetch = (): void =>
      void spot.load().then(
        () => {
          if (over) return
          miss(false)
          count(come + 1)
        },
        () => {
          if (over) return
          miss(true)
          timer = setTimeout(fetch, AGAIN_EVERY_MS)
        },
      )
    fetch()
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [spot.key, show === undefined])
  return { show, missing }
}

/** A view, or that its code is on its way. */
export const Arriving = ({ spot, props }: { readonly spot: Spot; readonly props: ViewProps }) => {
  const { show, missing } = useShow(spot)
  if (show !== undefined) return show(props)
  if (!missing) return <p class="opening about">opening …</p>
  return (
    <div class="card problem" role="alert">
      <p class="wrong">“{spot.title}” could not be loaded. Trying again.</p>
      <p class="about">After an upgrade of the node the page has to be loaded anew.</p>
      <div class="actions">
        <button type="button" onClick={() => location.reload()}>
          Load the page anew
        </button>
      </div>
    </div>
  )
}
