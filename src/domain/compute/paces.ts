import type { Json } from '#core/canonical.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { referenceOf } from './reference-paces.ts'

/** Weight of the newest run in the running mean. */
const NEWEST_SHARE = 0.3
/** Runs that are expected to be shorter say more of the machine's other work than of its pace. */
const LEARNT_SECONDS_MIN = 0.02
/** What was seen of a kind counts up to these: a machine that slept through a run is not slow. */
const LEARNT_SHARE = { min: 0.2, max: 5 } as const

/** A computation as far as its time hangs on it. */
export interface Paced {
  readonly kind: string
  readonly work: number
  readonly recipe: { readonly inputs: Json }
}

/** How long something should take. */
export interface Expected {
  readonly seconds: number
  /** Between which times it may end, where nobody knows beforehand how much there is to do. */
  readonly range: readonly [low: number, high: number] | null
}

/** How fast this machine does each kind of computation. */
export interface Paces {
  /** How many times as long this machine takes as the reference machine. */
  slowness: number
  /** Learns from a run that took so long. */
  learn(run: Paced, seconds: number): void
  expect(run: Paced): Expected
}

const clamped = (share: number): number => Math.min(LEARNT_SHARE.max, Math.max(LEARNT_SHARE.min, share))

/** The paces of one process; one entry for each kind, so nothing bounds them further. */
export const createPaces = (): Paces => {
  /** By kind, how many times as long it took as this machine's slowness says. */
  const learnt = new Map<string, number>()
  const paces: Paces = {
    slowness: 1,
    learn: ({ kind, work, recipe }, seconds) => {
      const { key, pace } = referenceOf(kind, recipe.inputs)
      const foreseen = (paces.slowness * (pace.fixedMs + pace.workMs * work)) / MS_PER_SECOND
      if (pace.range !== undefined || !(foreseen >= LEARNT_SECONDS_MIN) || !(seconds > 0)) return
      const share = clamped(seconds / foreseen)
      const before = learnt.get(key) ?? share
      learnt.set(key, before + NEWEST_SHARE * (share - before))
    },
    expect: ({ kind, work, recipe }) => {
      const { key, pace } = referenceOf(kind, recipe.inputs)
      const share = paces.slowness * (learnt.get(key) ?? 1)
      const seconds = (share * (pace.fixedMs + pace.workMs * work)) / MS_PER_SECOND
      return { seconds, range: pace.range === undefined ? null : [seconds * pace.range[0], seconds * pace.range[1]] }
    },
  }
  return paces
}
