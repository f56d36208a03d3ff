import type { ResultAt } from '#api/result-of.ts'
import { Ago } from '#ui/part/ago.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { spellPlace } from './place.ts'

/** A page of leaves, as the node answers it. */
export type LeafPage = ResultAt<'GET /api/log/{log}/leaves'>
export type LeafRow = LeafPage['leaves'][number]

const typeWords: Readonly<Record<string, string>> = {
  envelope: 'receipt',
  ledger: 'credits issued',
  tick: 'end of a tick',
  head: 'machine-head',
  succession: 'the key passed on',
  event: 'event',
  'token-move': 'tokens moved',
}

/** What a leaf holds, as far as this browser may know. */
export const holds = ({ type, kind }: Pick<LeafRow, 'type' | 'kind'>): string => {
  if (type === null) return 'private'
  const word = typeWords[type] ?? type
  return kind === null ? word : `${word}: ${kind}`
}

/** Leaves, newest first. */
export const LeafList = ({ log, leaves }: { readonly log: string; readonly leaves: readonly LeafRow[] }) => (
  <RowTable heads={['Leaf', 'Holds', 'When', 'Hash']} look="leaves">
    {leaves.map((it) => (
      <tr key={it.index} data-leaf={it.index}>
        <th scope="row">
          <a href={`#${spellPlace({ show: 'leaf', log, number: it.index })}`}>{it.index}</a>
        </th>
        <td data-label="holds" class={it.type === null ? 'about' : undefined} data-type={it.type ?? 'private'}>
          {holds(it)}
        </td>
        <td data-label="when">
          <Ago tick={it.tick} />
        </td>
        <td data-label="hash">
          <Short text={it.hash} />
        </td>
      </tr>
    ))}
  </RowTable>
)
