import type { Query } from '#ui/address.ts'
import type { PageSession } from '#ui/session.ts'
import { ContractView } from './contract-view.tsx'
import { ContractsView } from './contracts-view.tsx'
import { EditorView } from './editor-view.tsx'
import { placeIn } from './place.ts'
import { TemplatesView } from './templates-view.tsx'

interface Props {
  readonly session: PageSession
  readonly at: string
  readonly query: Query
}

/** All that the page has of contracts: the list, the editor, templates, and one contract. */
export const RoomView = ({ session, at, query }: Props) => {
  const place = placeIn(at) ?? { kind: 'all' }
  switch (place.kind) {
    case 'editor':
      return <EditorView session={session} query={query} />
    case 'templates':
      return <TemplatesView session={session} id={place.id} query={query} />
    case 'one':
      return <ContractView session={session} slug={place.slug} id={place.id} tab={place.tab} />
    default:
      return <ContractsView session={session} />
  }
}
