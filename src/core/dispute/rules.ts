import { BOND_WORKS_MAX } from '#core/work/exposure.ts'

/**
 * What the fold goes by. The product never names another value than {@link trustRules}: the simulator does, to show
 * that each rule is needed.
 */
export interface Rules {
  /** Whose word makes a work wrong: only what this node ran itself. */
  readonly verdict: 'own_check' | 'first_ruling' | 'pool_majority'
  /** Whether each challenge stands alone, or the first one over a work keeps all others out. */
  readonly eachStandsAlone: boolean
  /** What events are ordered by. */
  readonly order: 'when' | 'arrival'
  /** Whether the worker's value must be out, or its time over, before the challenger's counts. */
  readonly workerFirst: boolean
  /** Works that a bond answers for at a time. */
  readonly worksMax: number
  /** Whether a released bond stays locked until no result under it can be disputed any more. */
  readonly releaseWaits: boolean
  /** Whether a home holds the count of a token's changes against the op. */
  readonly spendSeq: boolean
}

/** The rules of trust.md. */
export const trustRules: Rules = {
  verdict: 'own_check',
  eachStandsAlone: true,
  order: 'when',
  workerFirst: true,
  worksMax: BOND_WORKS_MAX,
  releaseWaits: true,
  spendSeq: true,
}

/** Ticks that each side has to reveal its value of a draw. */
export const REVEAL_TICKS = 120
/** Ticks that a rank has at least. */
export const DUTY_TICKS_MIN = 240
/** How often its estimate a rank has. */
export const DUTY_ESTIMATES = 4
/** Ranks that are called to rule, and of them those that look for data or are asked again after `upheld`. */
export const RANKS_MAX = 8
export const RANKS_FIRST = 3
/** Disputes open by one challenger, and over one work. */
export const OPEN_BY_ONE_MAX = 8
export const OVER_ONE_WORK_MAX = 64
/** Losses in a row beyond which the wait grows no more: 2^40 waits are for ever. */
export const STREAK_MAX = 40
