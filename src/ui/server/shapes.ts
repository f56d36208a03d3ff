import type { Claim } from '#core/claim.ts'
import type { Schema } from '#ui/form/schema.ts'

/** A solver as `GET /api/solvers` lists it. */
export interface SolverName {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly domain: string
  readonly method: string
}

/** A solver as `GET /api/solvers/{name}` shows it. */
export interface SolverShape extends SolverName {
  readonly operators: readonly string[]
  readonly unit: string
  readonly input: Schema
  readonly output: Schema
}

/** What `POST /api/quote` says before a run. */
export interface Quote {
  readonly price: number
  readonly work: number
  readonly work_limit: number
  readonly expected_seconds: number
}

/** An envelope as a list or an answer shows it. */
export interface EnvelopeShape {
  readonly token_id: string
  readonly hash: string
  readonly log: string
  readonly index: number
  readonly kind: string
  readonly operators: readonly string[]
  readonly tick: number
  readonly phase: number
  readonly face_value: number
  readonly funding: string
  readonly issued_to: string
  readonly soulbound: boolean
  readonly state: 'promised' | 'sealed' | 'final'
  /** Witnesses that have cosigned a tree which holds it. */
  readonly witnessed: number
  readonly precisionActual: number
  readonly bundle: string
}

export interface CheckShape {
  readonly against: string
  readonly measured: number
  readonly bound: number
}

/** An answer of a computation: the members of its result, and those of its receipt. */
export interface Answer {
  readonly [member: string]: unknown
  readonly value: number | null
  readonly unit: string
  readonly precisionActual: number | null
  readonly check: CheckShape | null
  readonly envelope: EnvelopeShape | null
  readonly claim: Claim | null
  readonly unsealed_reason: string | null
}

/** Balances as `GET /api/credits/status` shows them. */
export interface CreditsShape {
  readonly free: number
  readonly paid: number
  readonly available: number
  /** Under the key that all share; null otherwise. */
  readonly calls_left_today: number | null
}
