import { RowTable } from '#ui/part/row-table.tsx'
import type { ContractModel, DrawnState } from './model.ts'

interface Props {
  readonly model: ContractModel
  readonly present?: string | undefined
  readonly onGo?: ((path: string) => void) | undefined
}

const kindOf = ({ initial, terminal, known }: DrawnState, present: boolean): string =>
  [initial && 'initial', terminal && 'terminal', !known && 'not declared', present && 'present']
    .filter(Boolean)
    .join(', ')

interface NameProps {
  readonly name: string
  readonly path: string
  readonly onGo: Props['onGo']
}

const Name = ({ name, path, onGo }: NameProps) =>
  onGo === undefined ? (
    <span>{name}</span>
  ) : (
    <button type="button" class="link" onClick={() => onGo(path)}>
      {name === '' ? '(no name)' : name}
    </button>
  )

/** The same as the picture says, in rows. */
export const TransitionTable = ({ model: { states, transitions }, present, onGo }: Props) => (
  <>
    <RowTable heads={['State', 'Kind', 'Ways in', 'Ways out']} look="states">
      {states.map((it) => (
        <tr key={it.name} data-state={it.name}>
          <th scope="row">
            <Name name={it.name} path={it.path} onGo={onGo} />
          </th>
          <td data-label="kind">{kindOf(it, it.name === present)}</td>
          <td data-label="ways in">{transitions.filter(({ to }) => to === it.name).length}</td>
          <td data-label="ways out">{transitions.filter(({ from }) => from.includes(it.name)).length}</td>
        </tr>
      ))}
    </RowTable>
    <RowTable heads={['Transition', 'From', 'To', 'Trigger', 'Guard']} look="transitions">
      {transitions.map((it) => (
        <tr key={it.path} data-transition={it.id}>
          <th scope="row">
            <Name name={it.id} path={it.path} onGo={onGo} />
          </th>
          <td data-label="from" class="wrap">
            {it.from.join(', ')}
          </td>
          <td data-label="to">{it.to}</td>
          <td data-label="trigger" class="wrap">
            {it.trigger}
          </td>
          <td data-label="guard" class="wrap">
            {it.guard !== '' && <code>{it.guard}</code>}
          </td>
        </tr>
      ))}
    </RowTable>
  </>
)
