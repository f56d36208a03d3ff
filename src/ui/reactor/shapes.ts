/** The id of a reactor. */
export const REACTOR_ID = /^[0-9a-f]{32}$/

/** Percent beyond which nothing is sealed: what the errors of all steps may add up to. */
export const ERROR_PCT_BOUND = 0.1

/** A reactor as the node shows it. */
export interface ReactorShape {
  readonly id: string
  /** Name and revision. */
  readonly solver: string
  readonly machine: string | null
  readonly id_hash: string | null
  readonly contract: string
  readonly status: 'ready' | 'stepping' | 'complete' | 'stopped' | 'refused'
  readonly step: number
  readonly steps: number
  readonly seal: boolean
  readonly state: string
  readonly value: number | null
  readonly unit: string
  readonly errorSum: number
  readonly created_tick: number
  readonly moved_tick: number
  readonly ended: {
    readonly kind: 'complete' | 'condition' | 'refused'
    readonly why: string
    readonly code: string | null
    readonly details: Readonly<Record<string, unknown>>
  } | null
  readonly price: number
}

/** One step of a trajectory. */
export interface StepShape {
  readonly step: number
  readonly tick: number
  readonly state: string
  readonly previous: string | null
  readonly inputs_digest: string | null
  readonly result_digest: string | null
  readonly errorPct: number
  readonly errorSum: number
  readonly value: number | null
  readonly token_id: string | null
  readonly observed: Readonly<Record<string, number | null>>
  readonly seq: number | null
}

/** What the node found when it walked the whole trajectory. */
export interface VerifiedShape {
  readonly valid: boolean
  readonly count: number
  readonly entries: number
  readonly broken: { readonly step: number; readonly why: string } | null
}

/** One page of a trajectory. */
export interface TrajectoryShape<Row = StepShape> {
  readonly reactor: ReactorShape
  readonly rows: readonly Row[]
  readonly next_after: number | null
  readonly verified: VerifiedShape
  readonly rerun: { readonly from: number; readonly to: number; readonly differs_at: number | null } | null
}

/** The solver's name, without its revision. */
export const solverOf = ({ solver }: ReactorShape): string => solver.split('@')[0] ?? solver

/** How a status is coloured. */
export const statusClass = {
  ready: 'sealed',
  stepping: 'promised',
  complete: 'final',
  stopped: 'final',
  refused: 'bad',
} as const
