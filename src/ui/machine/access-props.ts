import type { PageSession } from '#ui/session.ts'
import type { Machine } from './machine.ts'

/** What each part of the access tab is given. */
export interface AccessProps {
  readonly session: PageSession
  readonly machine: Machine
  readonly onChange: () => void
}
