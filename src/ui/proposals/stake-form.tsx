import { useState } from 'preact/hooks'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { ticksText } from '#ui/text/ago.ts'
import type { WholeProposal } from './words.ts'

interface Props {
  readonly session: PageSession
  readonly it: WholeProposal
  readonly onDone: () => void
}

type Side = 'yes' | 'no'

/** Stakes envelopes on a side, and says beforehand until when they are tied. */
export const StakeForm = ({ session, it, onDone }: Props) => {
  const [side, choose] = useState<Side>('yes')
  const [count, type] = useState('1')
  const task = useTask()
  if (session.self.kind === 'demo') {
    return (
      <p class="card about">
        <a href="#settings">Sign in or make an account</a> to stake.
      </p>
    )
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const order = { id: it.id, side, count: Number(count) }
      const { stake } = await session.call('POST /api/community-operators/{id}/stake', order)
      onDone()
      return `${stake.count} staked for ${stake.side}; the stake is signed once a checkpoint holds its lock.`
    })
  }
  return (
    <section class="card" aria-label="Stake">
      <h3>Stake</h3>
      <form onSubmit={submit}>
        <fieldset class="choices">
          <legend>Side</legend>
          {(['yes', 'no'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="side" value={one} checked={one === side} onChange={() => choose(one)} />
              {one}
            </label>
          ))}
        </fieldset>
        <TextRow id="stake-count" label="Envelopes" size="narrow" inputMode="numeric" value={count} onText={type}>
          <p class="about">Drawn from those that nothing ties, soulbound ones too; each weighs its face value.</p>
        </TextRow>
        <p class="about">
          Your first stake fixes your side. They are tied until the vote was counted,{' '}
          {ticksText((it.closes ?? 0) - it.mesh_tick)} from now, and 17 minutes more at the latest; all of them come
          back.
        </p>
        <div class="actions">
          <Submit disabled={task.busy || !/^[1-9]\d{0,3}$/.test(count)}>Stake</Submit>
        </div>
      </form>
      <TaskOutcome of={task} />
    </section>
  )
}
