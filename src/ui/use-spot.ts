import { useEffect, useState } from 'preact/hooks'
import type { Solvers } from './view/solvers-view.tsx'
import { groups, type Spot, spotOf } from './views.tsx'

/** Where the page begins. */
export const HOME = groups[0]?.home ?? ''

/** What the part of the address after `#` names; where the page begins when it names nothing. */
const spotHere = (solvers: Solvers): Spot | undefined =>
  spotOf(location.hash.replace(/^#\/?/, ''), solvers) ?? spotOf(HOME, solvers)

/** What the address names. Views are links, so they can be kept and shared. */
export const useSpot = (solvers: Solvers): Spot | undefined => {
  const [spot, go] = useState(() => spotHere(solvers))
  useEffect(() => {
    const move = (): void => {
      const next = spotHere(solvers)
      go((old) => (old?.at === next?.at ? old : next))
    }
    addEventListener('hashchange', move)
    move() // An effect comes after the first picture: the address may have changed in between.
    return () => removeEventListener('hashchange', move)
  }, [solvers])
  useEffect(() => {
    document.title = spot === undefined ? 'tickmesh' : `${spot.title} · tickmesh`
  }, [spot])
  return spot
}
