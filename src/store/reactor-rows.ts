import type { KeptStep } from '#core/reactor.ts'

/** Why a reactor takes no more steps. A refusal is that of the step it would have taken next, for good. */
export interface ReactorEnd {
  readonly kind: 'complete' | 'condition' | 'refused'
  /** A sentence. */
  readonly why: string
  /** Code and details of a refusal. */
  readonly code: string | null
  readonly details: Readonly<Record<string, unknown>>
}

/** A stateful loop over one solver, and where it stands. */
export interface ReactorRow {
  readonly v: 1
  /** 32 hex digits. */
  readonly id: string
  /** Order in which reactors were made on this node. */
  readonly number: number
  /** Whose it is: an account, a demo key, a machine's key. */
  readonly owner: string
  /** The machine whose chain holds its entries; null where the caller can have none. */
  readonly slug: string | null
  readonly id_hash: string | null
  /** The solver's name, and with its revision: another one computes other bits. */
  readonly kind: string
  readonly solver: string
  /** Digest of the transition contract. */
  readonly contract: string
  readonly terms: {
    readonly steps: number
    readonly seal: boolean
    readonly stops: readonly { readonly of: string; readonly op: '<' | '<=' | '>' | '>='; readonly than: number }[]
    readonly observers: readonly string[]
  }
  /** A state is kept of every so many steps, beside the newest. */
  readonly every: number
  readonly created_tick: number
  /** Node tick of the newest step, or of the creation. */
  readonly moved_tick: number
  /** Steps taken. */
  readonly step: number
  /** Digest of the newest state. */
  readonly state: string
  /** Errors of all steps added up, in percent. */
  readonly error_sum: number
  readonly value: number | null
  readonly unit: string
  /** Credits of one step; 0 where steps are not sealed. */
  readonly price: number
  readonly ended: ReactorEnd | null
}

/** One state of a reactor and how it came to be; step 0 is the beginning. */
export interface ReactorStepRow {
  readonly step: number
  readonly tick: number
  readonly state: string
  readonly previous: string | null
  readonly inputs_digest: string
  readonly result_digest: string | null
  /** Of this step alone, and of all since step 0, in percent. */
  readonly error_pct: number
  readonly error_sum: number
  readonly value: number | null
  readonly token_id: string | null
  /** Its entry in the machine's chain. */
  readonly seq: number | null
  /** Time of the computation, in milliseconds. */
  readonly took_ms: number
  /** Units of work, about 1e6 floating-point operations each. */
  readonly work: number
  /** Secondary figures of the check: what is conserved, by how much it is not. */
  readonly figures: Readonly<Record<string, number>>
  readonly observed: Readonly<Record<string, number | null>>
}

export interface ReactorRows {
  readonly reactor: ReactorRow
  readonly reactorStep: ReactorStepRow
  readonly reactorState: Uint8Array
}

/** Prefixes and keys of reactors. */
export const reactorTables = {
  reactor: { prefix: 'r', form: 'json', key: 'reactor id' },
  reactorStep: { prefix: 'rt', form: 'json', key: 'reactor id / step' },
  reactorState: { prefix: 'rs', form: 'bytes', key: 'reactor id / step: JSON of the full inputs that take up there' },
} as const

/** A step as a walk along the trajectory takes it. */
export const keptOf = (row: ReactorStepRow): KeptStep => ({
  step: row.step,
  previous: row.previous,
  inputs_digest: row.inputs_digest,
  result_digest: row.result_digest,
  state: row.state,
  errorPct: row.error_pct,
  errorSum: row.error_sum,
})

/** Whether the state after a step is kept: the first, the newest, and every so many in between. */
export const keepsState = ({ every, step: newest }: Pick<ReactorRow, 'every' | 'step'>, step: number): boolean =>
  step === newest || step % every === 0
