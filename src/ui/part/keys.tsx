import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useReading } from '#ui/server/reading.ts'
import type { Session } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { RowTable } from './row-table.tsx'
import { SecretOnce } from './secret-once.tsx'
import { type Task, useTask } from './use-task.ts'

/** What keys of every kind have. */
interface KeyRow {
  readonly id: string
  readonly name: string
  readonly revoked: boolean
}

/** A column between a key's name and its state. */
export interface KeyColumn<K> {
  readonly head: string
  readonly cell: (key: K) => ComponentChildren
}

/** The column of ids, alike for keys of every kind. */
export const idColumn: KeyColumn<KeyRow> = { head: 'Id', cell: ({ id }) => <code>{id}</code> }

/** Keys at a path of the node, and what can be done with them. */
export interface Keys<K> {
  readonly keys: readonly K[] | undefined
  readonly problem: Error | undefined
  readonly task: Task
  /** The key just made: the node says it once. */
  readonly fresh: string | undefined
  readonly forget: () => void
  readonly make: (body: object) => void
  readonly revoke: (id: string) => void
}

/** Reads the keys at a path, makes and revokes them there. */
export const useKeys = <K extends KeyRow>(session: Session, path: string): Keys<K> => {
  const [changes, count] = useState(0)
  const [fresh, keep] = useState<string>()
  const task = useTask()
  const { value, problem } = useReading((signal) => session.send<{ keys: readonly K[] }>(path, { signal }), {
    on: [session, path, changes],
  })
  const make = (body: object): void =>
    task.run(async () => {
      keep((await session.send<{ api_key: string }>(path, { method: 'POST', body })).api_key)
      count((it) => it + 1)
      return undefined
    })
  const revoke = (id: string): void =>
    task.run(async () => {
      await session.request(`${path}/${id}`, { method: 'DELETE' })
      count((it) => it + 1)
      return 'Revoked.'
    })
  return { keys: value?.keys, problem, task, fresh, forget: () => keep(undefined), make, revoke }
}

interface ListProps<K> {
  readonly of: Keys<K>
  /** What a key is called that was just made. */
  readonly name: string
  readonly columns: readonly KeyColumn<K>[]
}

/** The key just made, and the list of all with a button to revoke each. */
export const KeysList = <K extends KeyRow>({
  of: { keys, problem, fresh, forget, revoke },
  name,
  columns,
}: ListProps<K>) => (
  <>
    {fresh !== undefined && <SecretOnce name={name} secret={fresh} onDone={forget} />}
    {problem !== undefined && <ProblemCard problem={problem} />}
    {keys !== undefined && keys.length > 0 && (
      <RowTable heads={['Name', ...columns.map(({ head }) => head), 'State']}>
        {keys.map((it) => (
          <tr key={it.id} data-key={it.id}>
            <th scope="row">{it.name}</th>
            {columns.map(({ head, cell }) => (
              <td key={head} data-label={head.toLowerCase()}>
                {cell(it)}
              </td>
            ))}
            <td>
              {it.revoked ? (
                <span class="badge">revoked</span>
              ) : (
                <ConfirmButton label="Revoke" ask="Whatever uses it stops at once." onConfirm={() => revoke(it.id)} />
              )}
            </td>
          </tr>
        ))}
      </RowTable>
    )}
  </>
)
