import { useEffect, useState } from 'preact/hooks'
import type { View } from './navigation.tsx'

/** The part of the address after `#` that names a view, e.g. `solver/heat`; the first view when it names none. */
const placeIn = (views: readonly View[]): string => {
  const named = location.hash.slice(1)
  return views.find((it) => it.place === named)?.place ?? views[0]?.place ?? 'network'
}

/** The view that the address names. Views are links, so they can be kept and shared. */
export const usePlace = (views: readonly View[]): string => {
  const [place, go] = useState(() => placeIn(views))
  useEffect(() => {
    const move = (): void => go(placeIn(views))
    addEventListener('hashchange', move)
    return () => removeEventListener('hashchange', move)
  }, [views])
  useEffect(() => {
    const title = views.find((it) => it.place === place)?.title
    document.title = title === undefined ? 'tickmesh' : `${title} · tickmesh`
  }, [views, place])
  return place
}
