import type { Query } from './address.ts'
import type { Solvers } from './server/solvers.ts'
import type { PageSession } from './session.ts'

/** What every view may show. */
export interface ViewProps {
  readonly session: PageSession
  readonly solvers: Solvers
  /** Whether it is seen now: a kept view may be behind another one. */
  readonly shown: boolean
  /** Runs that are over. */
  readonly runs: number
  /** What stands behind the `?` of its address. */
  readonly query: Query
}
