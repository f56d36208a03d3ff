import { meshTickAt } from './tick.ts'
import { NS_PER_SECOND } from './time.ts'

/** How far an event's own tick and its first cosignature may lie apart before the cosignature's second counts. */
export const LATE_TICKS = 120

/** When a lasting event happened: a mesh tick, and what is to be said of it. */
export interface Happened {
  readonly at: number
  /** `late`: its own tick was not believed. `unwitnessed`: nobody is there whose second could be held against it. */
  readonly mark: 'late' | 'unwitnessed' | null
}

/** `pending`: it stands in no window yet, but calls for duties. */
export type Happening = Happened | 'pending'

interface Facts {
  /** The event's own mesh tick: what its source says. */
  readonly tick: number
  /** When the events happened that it names. One that is not held here is `pending`. */
  readonly named: readonly Happening[]
  /** Whether the policy has witnesses at all. */
  readonly witnesses: boolean
}

/** All that decides when an event happened. */
export interface WhenFacts extends Facts {
  /**
   * POSIX seconds of the first cosignature by a witness of the policy, other than the event's author, of a tree that
   * holds it; undefined while there is none.
   */
  readonly cosigned: number | undefined
}

/** The mesh tick that a second of the Unix clock begins in. */
export const meshTickOfSecond = (second: number): number => meshTickAt(BigInt(second) * NS_PER_SECOND)

/**
 * When a lasting event happened (protocol.md, *When*): at its own tick, but not before any event that it names, and in
 * no case later than its first cosignature; where those two lie more than 120 ticks apart, at the cosignature's second.
 * A pure function of what is known, so it does not matter in which order that came to be known.
 *
 * An event that names a pending one is pending as well, unless its own cosignature decides alone.
 */
export const happenedAt = ({ cosigned, ...facts }: WhenFacts): Happening =>
  happenedBy({ ...facts, first: cosigned === undefined ? undefined : meshTickOfSecond(cosigned) })

/** As {@link happenedAt}, with the first cosignature by its mesh tick. */
export const happenedBy = ({
  tick,
  named,
  first,
  witnesses,
}: Facts & { readonly first: number | undefined }): Happening => {
  const known = named.filter((it) => it !== 'pending')
  const floor = Math.max(tick, ...known.map((it) => it.at))
  const isOpen = known.length < named.length
  if (!witnesses) return isOpen ? 'pending' : { at: floor, mark: 'unwitnessed' }
  if (first === undefined) return 'pending'
  if (Math.abs(tick - first) > LATE_TICKS) return { at: first, mark: 'late' }
  if (floor >= first) return { at: first, mark: null }
  return isOpen ? 'pending' : { at: floor, mark: null }
}
