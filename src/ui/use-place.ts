import { useEffect, useState } from 'preact/hooks'
import type { View } from './navigation.tsx'

/** One machine, and the part of its page that is open. */
const MACHINE = /^machine\/([a-z0-9-]{1,64})(?:\/([a-z]{1,16}))?$/

/** The machine that an address names, if it names one. */
export const machineIn = (place: string): { readonly slug: string; readonly tab: string } | undefined => {
  const [, slug, tab = 'chain'] = MACHINE.exec(place) ?? []
  return slug === undefined ? undefined : { slug, tab }
}

/** One reactor. */
const REACTOR = /^reactor\/([0-9a-f]{32})$/

/** The id of the reactor that an address names, if it names one. */
export const reactorIn = (place: string): string | undefined => REACTOR.exec(place)?.[1]

/** One operator, and the variable that is wanted of it. */
const OPERATOR = /^operators\/([\w.-]{1,64})(?:\/(\w{1,32}))?$/

/** The operator that an address names, if it names one; ids may be written in any case. */
export const operatorIn = (place: string): { readonly id: string; readonly symbol: string | undefined } | undefined => {
  const [, id, symbol] = OPERATOR.exec(place) ?? []
  return id === undefined ? undefined : { id: id.toUpperCase(), symbol }
}

/** The part of the address after `#` that names a view, e.g. `solver/heat`; the first view when it names none. */
const placeIn = (views: readonly View[]): string => {
  const named = location.hash.replace(/^#\/?/, '')
  const operator = operatorIn(named)
  if (operator !== undefined) return ['operators', operator.id, operator.symbol].filter(Boolean).join('/')
  if (machineIn(named) !== undefined || reactorIn(named) !== undefined) return named
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
    const one =
      machineIn(place)?.slug ?? operatorIn(place)?.id ?? (reactorIn(place) === undefined ? undefined : 'Reactor')
    const title = one ?? views.find((it) => it.place === place)?.title
    document.title = title === undefined ? 'tickmesh' : `${title} · tickmesh`
  }, [views, place])
  return place
}
