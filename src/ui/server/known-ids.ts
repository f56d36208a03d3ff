import type { Self } from './self.ts'
import { store, stored } from './storage.ts'

/** Ids of one kind that a browser keeps. */
const KNOWN_MAX = 32

/** Things of a node, of which it lists none of others, that this browser finds again by their ids. */
export interface KnownIds {
  /** Ids seen here, newest first. What a stranger put into the storage is left out. */
  all(self: Self): readonly string[]
  /** Puts one at the head of the list. */
  remember(self: Self, id: string): void
  /** Takes one from the list; the node keeps it. */
  forget(self: Self, id: string): void
}

/** The ids of one kind, under a word of their own; a demo key is nobody, so what it saw goes with the key. */
export const knownIds = (word: string, pattern: RegExp): KnownIds => {
  const placeOf = ({ zid, key, kind }: Self): string => `tickmesh.${word}.${kind === 'demo' ? key?.slice(-16) : zid}`
  const all = (self: Self): readonly string[] => {
    try {
      const kept: unknown = JSON.parse(stored(placeOf(self)) ?? '[]')
      return Array.isArray(kept) ? kept.filter((it) => pattern.test(String(it))).map(String) : []
    } catch {
      // Something else stands under the name.
      return []
    }
  }
  const keep = (self: Self, ids: readonly string[]): void =>
    store(placeOf(self), JSON.stringify(ids.slice(0, KNOWN_MAX)))
  const others = (self: Self, id: string): readonly string[] => all(self).filter((it) => it !== id)
  return {
    all,
    remember: (self, id) => keep(self, [id, ...others(self, id)]),
    forget: (self, id) => keep(self, others(self, id)),
  }
}
