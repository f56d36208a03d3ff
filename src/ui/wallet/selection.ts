import type { Item } from './wallet.ts'

/** What is kept of an envelope that was chosen, so that it can be sent from another page of the list. */
export type Chosen = Pick<Item, 'token_id' | 'kind' | 'face_value' | 'home' | 'immovable'>

/** Envelopes that were chosen, by their token ids. */
export type Selection = ReadonlyMap<string, Chosen>

/** Envelopes that may be chosen at once: all are named in one op. */
export const CHOSEN_MAX = 100_000

export const NONE: Selection = new Map()

const chosenOf = ({ token_id, kind, face_value, home, immovable }: Item): Chosen => ({
  ...{ token_id, kind, face_value, home, immovable },
})

/** The same with these envelopes chosen, or not; beyond {@link CHOSEN_MAX} none is added. */
export const turned = (old: Selection, items: readonly Item[], on: boolean): Selection => {
  const next = new Map(old)
  for (const it of items) {
    if (!on) next.delete(it.token_id)
    else if (next.size < CHOSEN_MAX || next.has(it.token_id)) next.set(it.token_id, chosenOf(it))
  }
  return next
}

/** The same without some tokens. */
export const without = (old: Selection, tokens: Iterable<string>): Selection => {
  const next = new Map(old)
  for (const token of tokens) next.delete(token)
  return next
}

/** What of a selection can be sent, what stays and why, and whose logs it comes from. */
export interface SortedChoice {
  readonly movable: readonly Chosen[]
  readonly soulbound: readonly Chosen[]
  readonly locked: readonly Chosen[]
  /** Of homes that have not said lately how they stand. */
  readonly unconfirmed: readonly Chosen[]
  /** Sum of the faces of what can be sent. */
  readonly weight: number
  /** Homes of what can be sent. */
  readonly homes: readonly string[]
}

/** Sorts a selection by what sending would do. */
export const sorted = (selection: Selection): SortedChoice => {
  const all = [...selection.values()]
  const movable = all.filter((it) => it.immovable === null)
  return {
    movable,
    soulbound: all.filter((it) => it.immovable === 'soulbound'),
    locked: all.filter((it) => it.immovable === 'locked'),
    unconfirmed: all.filter((it) => it.immovable === 'unconfirmed'),
    weight: movable.reduce((sum, it) => sum + it.face_value, 0),
    homes: [...new Set(movable.map((it) => it.home))],
  }
}
