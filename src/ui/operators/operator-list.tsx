import type { RefObject } from 'preact'
import { EquationMath } from '#ui/math/math.tsx'
import type { FoundRelation } from './relation.ts'

interface Props {
  readonly rows: readonly FoundRelation[]
  readonly list: RefObject<HTMLUListElement | null>
  /** Leaves the list upwards. */
  readonly onLeave: () => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Goes from link to link with the arrows; above the first one is the search. */
const move = (event: KeyboardEvent, list: HTMLUListElement | null, onLeave: () => void): void => {
  const step = STEPS[event.key]
  if (step === undefined || list === null) return
  const links = [...list.querySelectorAll<HTMLElement>('a')]
  const at = links.indexOf(event.target as HTMLElement)
  if (at === -1) return
  event.preventDefault()
  if (at + step < 0) onLeave()
  else links[at + step]?.focus()
}

/** Relations that were found, each with its equation, a link to its page. */
export const OperatorList = ({ rows, list, onLeave }: Props) => (
  <ul
    ref={list}
    class="operators"
    aria-label="Operators found"
    onKeyDown={(event) => move(event, list.current, onLeave)}
  >
    {rows.map(({ id, name, domain, equation, variables, refused }) => (
      <li key={id} data-operator={id}>
        <p>
          <a href={`#operators/${id}`}>{name}</a> <code class="about">{id}</code>{' '}
          <span class="about">
            {domain.replaceAll('-', ' ')}
            {refused !== null && ', states a relation, has no value'}
          </span>
        </p>
        <EquationMath equation={equation} variables={variables} parsed={refused === null} />
      </li>
    ))}
  </ul>
)
