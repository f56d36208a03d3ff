import type { Query } from '#ui/address.ts'
import type { PageSession } from '#ui/session.ts'
import { ConsistencyView } from './consistency-view.tsx'
import { LeafView } from './leaf-view.tsx'
import { LookUp } from './look-up.tsx'
import { NewestView } from './newest-view.tsx'
import { type LogAddress, readPlace } from './place.ts'

interface Props {
  readonly session: PageSession
  /** What stands behind `log/` in the address. */
  readonly at: string
  readonly query: Query
}

const Shown = ({ session, place, query }: { session: PageSession; place: LogAddress; query: Query }) => {
  const { log } = place
  if (place.show === 'leaf') return <LeafView session={session} log={log} index={place.number} />
  if (place.show === 'consistency') return <ConsistencyView session={session} place={place} />
  if (place.show === 'hash' || place.show === 'token') return <LookUp session={session} place={place} />
  return <NewestView session={session} place={place} query={query} />
}

/** The explorer of this node's logs: leaves, their ways to the root, checkpoints, and proofs between them. */
export const LogView = ({ session, at, query }: Props) => {
  const place = readPlace(at)
  return <article class="log">{place !== undefined && <Shown session={session} place={place} query={query} />}</article>
}
