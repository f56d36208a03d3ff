import type { Json } from '#core/canonical.ts'
import type { BoundInput } from './bound-input.ts'
import type { Candidate } from './rank.ts'

/** A value that words of the query chose. */
export interface ReadSetting {
  readonly input: string
  readonly value: Json
  readonly because: string
}

/** A word of the query that was read as another. */
export interface Respelled {
  readonly from: string
  readonly to: string
}

/** How a query was read: what it goes to, by which words, what was bound, what was left at its default. */
export interface Reading {
  readonly kind: 'solver' | 'operators'
  /** The call that this one stands for. */
  readonly route: string
  readonly solver: string | null
  readonly operators: readonly string[]
  readonly title: string
  readonly because: readonly string[]
  readonly bound: readonly BoundInput[]
  readonly settings: readonly ReadSetting[]
  /** Inputs at their default, by path. */
  readonly defaults: Readonly<Record<string, Json>>
  /** Slips of the keys that were taken for known words. */
  readonly corrections: readonly Respelled[]
  /** Materials that the query names and that gave nothing, as it names them. */
  readonly unread: readonly string[]
  /** What the route is called with. */
  readonly input: Json
  readonly alternatives: readonly { readonly kind: string; readonly name: string; readonly title: string }[]
}

/** Candidates shown beside the one that was taken. */
export const ALTERNATIVES_MAX = 4

/** Candidates as a reading and a refusal show them. */
export const shown = (candidates: readonly Candidate[]): Reading['alternatives'] =>
  candidates.slice(0, ALTERNATIVES_MAX).map(({ kind, name, title }) => ({ kind, name, title }))
