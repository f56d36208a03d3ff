import { useRef, useState } from 'preact/hooks'
import { When } from '#ui/part/ago.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { StateBadge } from '#ui/receipt/state-badge.tsx'
import type { PageSession } from '#ui/session.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'
import type { Selection } from './selection.ts'
import { homeText, type Item } from './wallet.ts'

const HEADS = ['Envelope', 'Face', 'Home', 'State', 'Folder', 'Sent?']

/** Why an envelope stays, or that it can be sent. */
const sendText = ({ immovable, lock, where }: Item): string => {
  if (immovable === null) return 'can be sent'
  if (immovable === 'soulbound') return 'soulbound: free credits bought it'
  if (immovable === 'unconfirmed') return 'not now: its home has not answered lately'
  return where === 'bearer' ? 'out as a bearer package' : `locked: ${lock?.kind ?? 'it is tied'}`
}

const uncountedText = {
  outside_policy: 'your policy does not name its home',
  other_policy: 'its home goes by another policy',
  superseded: 'minted by a key that counted no more',
  evidence: 'its home has spent a token twice',
} as const

/** What is to be said of one from another node: whether it has arrived, and whether it counts here. */
const abroadText = ({ arrival, uncounted }: Item): string | undefined => {
  if (uncounted !== null) return `not counted: ${uncountedText[uncounted]}`
  return arrival === 'arriving' ? 'arriving' : undefined
}

interface RowProps {
  readonly item: Item
  readonly session: PageSession
  readonly chosen: boolean
  /** Whether the keyboard stands on it: the list is one stop of the Tab key, and the arrows move in it. */
  readonly active: boolean
  readonly onChoose: (on: boolean, range: boolean) => void
  readonly onWay: () => void
}

const Row = ({ item, session, chosen, active, onChoose, onWay }: RowProps) => {
  const short = item.token_id.slice(0, 8)
  const stop = active ? 0 : -1
  return (
    <tr data-token={item.token_id}>
      <th scope="row">
        <div class="wallet-envelope">
          <input
            type="checkbox"
            tabIndex={stop}
            checked={chosen}
            aria-label={`Choose ${item.kind} ${short}`}
            onClick={(event) => onChoose(event.currentTarget.checked, event.shiftKey)}
          />
          <span>
            <a href={`#receipt/${item.token_id}`} tabIndex={stop}>
              {item.kind}
            </a>{' '}
            {item.value !== null && withUnit(valueText(item.value), item.unit)}{' '}
            <span class="about">
              <code title={item.token_id}>{short}…</code> <When {...item} />
            </span>
          </span>
        </div>
      </th>
      <td data-label="face">{item.face_value}</td>
      <td data-label="home" title={item.home}>
        {homeText(item.home, session)} <span class="about">{abroadText(item)}</span>
      </td>
      <td data-label="state">
        <StateBadge state={item.state} />
      </td>
      <td data-label="folder">{item.folder === '' ? 'Unfiled' : item.folder}</td>
      <td data-label="sent?">{sendText(item)}</td>
      <td>
        <button type="button" class="small" tabIndex={stop} onClick={onWay}>
          History<span class="unseen"> ({short})</span>
        </button>
      </td>
    </tr>
  )
}

interface Props {
  readonly session: PageSession
  readonly items: readonly Item[]
  /** Whether the list was asked for before: nothing is chosen of it. */
  readonly isOld: boolean
  readonly selection: Selection
  readonly onTurn: (items: readonly Item[], on: boolean) => void
  readonly onClear: () => void
  readonly onWay: (token: string) => void
}

/** Where an arrow or an end key leads; undefined for other keys. */
const nextOf = (key: string, at: number, count: number): number | undefined => {
  if (key === 'ArrowDown') return Math.min(count - 1, at + 1)
  if (key === 'ArrowUp') return Math.max(0, at - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** One page of envelopes, to choose from by mouse, touch or keys. */
export const EnvelopeTable = ({ session, items, isOld, selection, onTurn, onClear, onWay }: Props) => {
  // By their tokens: rows move while the list is read anew. Another page begins at its first row.
  const [active, stand] = useState('')
  const [anchor, hold] = useState('')
  const box = useRef<HTMLFieldSetElement>(null)
  const tokenAt = (i: number): string => items[i]?.token_id ?? ''
  const rowOf = (token: string): number => items.findIndex((it) => it.token_id === token)
  const at = Math.max(0, rowOf(active))
  const range = (to: number): readonly Item[] => {
    const from = Math.max(0, rowOf(anchor))
    return items.slice(Math.min(from, to), Math.max(from, to) + 1)
  }
  const choose = (i: number, on: boolean, whole: boolean): void => {
    stand(tokenAt(i))
    if (!whole) hold(tokenAt(i))
    onTurn(whole ? range(i) : items.slice(i, i + 1), on)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextOf(event.key, at, items.length)
    if (event.key === 'Escape' && selection.size > 0) onClear()
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) onTurn(items, true)
    else if (next === undefined) return
    else {
      stand(tokenAt(next))
      if (event.shiftKey) onTurn(range(next), true)
      else hold(tokenAt(next))
      box.current?.querySelectorAll<HTMLInputElement>('tbody input').item(next)?.focus()
    }
    event.preventDefault()
  }
  return (
    <fieldset ref={box} class="bare" disabled={isOld} onKeyDown={onKeyDown}>
      <legend class="unseen">Envelopes of this page</legend>
      <RowTable heads={HEADS} lastSpan={2}>
        {items.map((it, i) => (
          <Row
            key={it.token_id}
            item={it}
            session={session}
            chosen={selection.has(it.token_id)}
            active={i === at}
            onChoose={(on, whole) => choose(i, on, whole)}
            onWay={() => onWay(it.token_id)}
          />
        ))}
      </RowTable>
    </fieldset>
  )
}
