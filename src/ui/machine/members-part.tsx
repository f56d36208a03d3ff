import { useState } from 'preact/hooks'
import type { InputAt, ResultAt } from '#api/result-of.ts'
import { Ago } from '#ui/part/ago.tsx'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Select } from '#ui/part/select.tsx'
import { Short } from '#ui/part/short.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { type ChangeState, useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { AccessProps } from './access-props.ts'
import { reaches } from './machine.ts'

const roles = ['viewer', 'operator', 'admin'] as const

type Member = ResultAt<'GET /api/chain/{slug}/admins'>['admins'][number]
/** A role that can be given. */
type Given = InputAt<'POST /api/chain/{slug}/admins'>['role']

interface RowProps {
  readonly member: Member
  readonly admin: boolean
  readonly onRole: (zid: string, role: Given) => void
  readonly onRemove: (zid: string) => void
}

const Row = ({ member: { zid, role, added_tick: tick, by_share: shared }, admin, onRole, onRemove }: RowProps) => {
  const fixed = role === 'owner' || !admin
  return (
    <tr data-member={zid}>
      <th scope="row">
        <Short text={zid} />
      </th>
      <td data-label="role">
        {fixed ? (
          role
        ) : (
          <Select aria-label={`Role of ${zid}`} options={roles} value={role} onChoose={(it) => onRole(zid, it)} />
        )}
      </td>
      <td data-label="since">
        <Ago tick={tick} />
      </td>
      <td>{shared ? 'by share' : ''}</td>
      <td>{!fixed && <ConfirmButton label="Remove" ask="Its keys fall with it." onConfirm={() => onRemove(zid)} />}</td>
    </tr>
  )
}

const Add = ({ task, onAdd }: { readonly task: ChangeState; readonly onAdd: (zid: string, role: Given) => void }) => {
  const [zid, type] = useState('')
  const [role, choose] = useState<Given>('viewer')
  const submit = (event: Event): void => {
    event.preventDefault()
    onAdd(zid.trim(), role)
    type('')
  }
  return (
    <form class="inline" onSubmit={submit}>
      <TextRow
        id="member-zid"
        label="Add a member"
        autocomplete="off"
        spellcheck={false}
        placeholder="zid1…"
        value={zid}
        onText={type}
      />
      <div class="form-row narrow">
        <label for="member-role">Role</label>
        <Select id="member-role" options={roles} value={role} onChoose={choose} />
      </div>
      <Submit disabled={zid.trim() === '' || task.busy}>Add</Submit>
    </form>
  )
}

/** The members of a machine and their roles. */
export const MembersPart = ({ session, machine, onChange }: AccessProps) => {
  const [changes, count] = useState(0)
  const task = useTask()
  const { slug } = machine
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/chain/{slug}/admins', { slug }, { signal }),
    {
      on: [session, slug, changes],
    },
  )
  const change = (said: string, call: () => Promise<unknown>): void =>
    task.run(async () => {
      await call()
      count((it) => it + 1)
      onChange()
      return said
    })
  const admin = reaches(machine.role, 'admin')
  return (
    <section class="card" aria-label="Members">
      <h3>Members</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      <RowTable heads={['ZID', 'Role', 'Since', 'Came']} lastSpan={2}>
        {value?.admins.map((member) => (
          <Row
            key={member.zid}
            member={member}
            admin={admin}
            onRole={(zid, role) =>
              change('Changed.', () => session.call('PATCH /api/chain/{slug}/admins/{zid}', { slug, zid, role }))
            }
            onRemove={(zid) =>
              change('Removed.', () => session.call('DELETE /api/chain/{slug}/admins/{zid}', { slug, zid }))
            }
          />
        ))}
      </RowTable>
      {admin && (
        <Add
          task={task}
          onAdd={(zid, role) =>
            change('Added.', () => session.call('POST /api/chain/{slug}/admins', { slug, zid, role }))
          }
        />
      )}
      <TaskOutcome of={task} />
    </section>
  )
}
