import type { PageSession } from '#ui/session.ts'
import { StreamView } from './stream-view.tsx'
import { StreamsView } from './streams-view.tsx'

interface Props {
  readonly session: PageSession
  readonly id: string | undefined
}

/** All that the page has of streams: one, or those of the account. */
export const StreamsRoom = ({ session, id }: Props) =>
  id === undefined ? <StreamsView session={session} /> : <StreamView session={session} id={id} />
