import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useReading } from '#ui/server/reading.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { RowTable } from './row-table.tsx'
import { SecretOnce } from './secret-once.tsx'
import { type ChangeState, useTask } from './use-task.ts'

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

/** Keys of the node, and what can be done with them. */
export interface Keys<K, W> {
  readonly keys: readonly K[] | undefined
  readonly problem: Error | undefined
  readonly task: ChangeState
  /** The key just made: the node says it once. */
  readonly fresh: string | undefined
  readonly forget: () => void
  readonly make: (wish: W) => void
  readonly revoke: (id: string) => void
}

/** The calls of one list of keys. */
export interface KeyCalls<K, W> {
  read(signal: AbortSignal): Promise<{ readonly keys: readonly K[] }>
  make(wish: W): Promise<{ readonly api_key: string }>
  revoke(id: string): Promise<unknown>
}

/** Reads keys, makes and revokes them. @param of whose keys they are: read anew when one of these changes. */
export const useKeys = <K extends KeyRow, W>(calls: KeyCalls<K, W>, of: readonly unknown[]): Keys<K, W> => {
  const [changes, count] = useState(0)
  const [fresh, keep] = useState<string>()
  const task = useTask()
  const { value, problem } = useReading((signal) => calls.read(signal), { on: [...of, changes] })
  const make = (wish: W): void =>
    task.run(async () => {
      keep((await calls.make(wish)).api_key)
      count((it) => it + 1)
      return undefined
    })
  const revoke = (id: string): void =>
    task.run(async () => {
      await calls.revoke(id)
      count((it) => it + 1)
      return 'Revoked.'
    })
  return { keys: value?.keys, problem, task, fresh, forget: () => keep(undefined), make, revoke }
}

interface ListProps<K> {
  readonly of: Omit<Keys<K, never>, 'make' | 'task'>
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
