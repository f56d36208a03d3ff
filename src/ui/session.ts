import type { Self } from './server/credential.ts'

/** What every view of the page needs: who this browser is, and which node it talks to. */
export interface Session {
  readonly self: Self
  /** The node's log key, from `/api/identity`: pinned once when the page was opened. */
  readonly vkey: string
  readonly node: string
  /** Says that something was sealed, so that lists are read again. */
  minted(): void
}
