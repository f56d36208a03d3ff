import type { Self } from '#ui/server/self.ts'
import { REACTOR_ID } from './reactor.ts'

/** Reactors that this browser has seen: those of others, of which a node lists none, are found again by them. */
const KNOWN_MAX = 32

/** Where they are kept; a demo key is nobody, so its reactors go with the key. */
const placeOf = ({ zid, key, kind }: Self): string => `tickmesh.reactors.${kind === 'demo' ? key?.slice(-16) : zid}`

/** Ids of the reactors seen here, newest first. What a stranger put into the storage is left out. */
export const knownReactors = (self: Self): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(self)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((it) => REACTOR_ID.test(String(it))).map(String) : []
  } catch {
    // A browser may refuse storage, or hold something else under the name.
    return []
  }
}

const keep = (self: Self, ids: readonly string[]): void => {
  try {
    localStorage.setItem(placeOf(self), JSON.stringify(ids.slice(0, KNOWN_MAX)))
  } catch {
    // Without storage the list begins anew with each visit.
  }
}

/** Puts a reactor at the head of the list. */
export const rememberReactor = (self: Self, id: string): void =>
  keep(self, [id, ...knownReactors(self).filter((it) => it !== id)])

/** Takes a reactor from the list; the node keeps it. */
export const forgetReactor = (self: Self, id: string): void =>
  keep(
    self,
    knownReactors(self).filter((it) => it !== id),
  )
