import type { PageSession } from '#ui/session.ts'
import type { Machine } from './machine.ts'

/** What a part of a machine's view is given that changes the machine. */
export interface AccessProps {
  readonly session: PageSession
  readonly machine: Machine
  readonly onChange: () => void
}
