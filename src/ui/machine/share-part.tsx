import { useState } from 'preact/hooks'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { AccessProps } from './access-props.ts'

/** The share of a machine: whoever has the token may become a viewer. */
export const SharePart = ({ session, machine, onChange }: AccessProps) => {
  const [fresh, keep] = useState<string>()
  const task = useTask()
  const { slug } = machine
  const share = (): void =>
    task.run(async () => {
      keep((await session.call('POST /api/chain/state-machines/{slug}/share/set', { slug })).share_token)
      onChange()
      return undefined
    })
  const end = (): void =>
    task.run(async () => {
      await session.call('POST /api/chain/state-machines/{slug}/share/disable', { slug })
      keep(undefined)
      onChange()
      return 'The share has ended, and so has the role of whoever came by it.'
    })
  const shared = machine.shared === true
  return (
    <section class="card" aria-label="Share" data-shared={shared}>
      <h3>Share</h3>
      <p>
        {shared ? 'A share token is out: who unlocks with it is a viewer.' : 'Not shared.'}{' '}
        <span class="about">A fresh token ends an earlier one.</span>
      </p>
      {fresh !== undefined && <SecretOnce name="Share token" secret={fresh} onDone={() => keep(undefined)} />}
      <div class="actions">
        <button type="button" onClick={share} disabled={task.busy}>
          {shared ? 'Fresh token' : 'Share'}
        </button>
        {shared && (
          <ConfirmButton label="End the share" ask="Viewers who came by it lose their role." onConfirm={end} />
        )}
      </div>
      <TaskOutcome of={task} />
    </section>
  )
}
