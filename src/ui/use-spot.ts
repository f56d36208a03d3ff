import { useEffect, useState } from 'preact/hooks'
import { type Address, addressHere, sameQuery } from './address.ts'
import type { Solvers } from './server/solvers.ts'
import { groups, type Spot, spotOf } from './views.tsx'

/** Where the page begins for a stranger. */
export const HOME = groups[0]?.home ?? ''

/** What an address that no view has may have meant: its last word, in the box, which offers what is near. */
const meantBy = ({ place }: Address): Address | undefined => {
  const word = place.split('/').findLast((it) => it !== '')
  return word === undefined ? undefined : { place: HOME, query: { q: word } }
}

/** What the address names, or may have meant; where the page begins when it says nothing. */
const spotHere = (solvers: Solvers, home: string): Spot | undefined => {
  const address = addressHere()
  return spotOf(address, solvers) ?? spotOf(meantBy(address) ?? home, solvers)
}

const same = (a: Spot | undefined, b: Spot | undefined): boolean =>
  a?.at === b?.at && (a === undefined || b === undefined || sameQuery(a.query, b.query))

/** What the address names, or `home`. Views are links, so they can be kept and shared. */
export const useSpot = (solvers: Solvers, home: string): Spot | undefined => {
  const [spot, go] = useState(() => spotHere(solvers, home))
  useEffect(() => {
    const move = (): void => {
      const next = spotHere(solvers, home)
      go((old) => (same(old, next) ? old : next))
    }
    addEventListener('hashchange', move)
    move() // An effect comes after the first picture: the address may have changed in between.
    return () => removeEventListener('hashchange', move)
  }, [solvers, home])
  useEffect(() => {
    document.title = spot === undefined ? 'tickmesh' : `${spot.title} · tickmesh`
  }, [spot])
  return spot
}
