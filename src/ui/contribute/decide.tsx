import { useEffect, useRef, useState } from 'preact/hooks'
import { Fact } from '#ui/part/fact.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { ticksText } from '#ui/text/ago.ts'
import type { ContributeRules, Contributing } from './words.ts'

interface Props {
  readonly session: PageSession
  readonly status: Contributing
  readonly policy: ContributeRules
  readonly onChange: () => void
}

/** What it costs and what it risks, in facts. */
const Costs = ({ status, policy }: Pick<Props, 'status' | 'policy'>) => (
  <dl>
    <Fact name="it takes">
      {status.needed} envelopes of yours; soulbound ones first. They stay yours and cannot be sent while they are tied.
    </Fact>
    <Fact name="you risk">
      all of them, for good, if a work of this node is challenged and a re-execution proves it wrong. An honest node’s
      bond never falls: votes and rulings decide nothing.
    </Fact>
    <Fact name="it costs">
      processor time when others ask, up to {policy.works_open_max} works at a time. Nothing is paid for it but a
      record.
    </Fact>
    <Fact name="to leave">
      release it at any time: offers stop at once, and the envelopes are free{' '}
      {ticksText(policy.dispute_ticks + policy.serve_ticks)} later, or that long after the last result; later still if a
      dispute is open.
    </Fact>
  </dl>
)

/** The way to contribute: what it costs and risks first, then one press. */
export const Decide = ({ session, status, policy, onChange }: Props) => {
  const [open, show] = useState(false)
  const task = useTask()
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (open) yes.current?.focus()
  }, [open])
  const { held, needed, days_remaining: days } = status
  const enough = held >= needed
  const bond = (): void =>
    task.run(async () => {
      await session.call('POST /api/contribute/bond', {})
      await session.call('POST /api/contribute/mode', { mode: 'contributing' })
      onChange()
      return 'Your envelopes are tied, and the node contributes.'
    })
  return (
    <section class="card" aria-label="Contribute">
      <h3>Contribute</h3>
      <p>
        {enough
          ? `You have the ${needed} envelopes that a bond takes.`
          : `You have ${held} of the ${needed} envelopes that a bond takes: ${days} days by free credits alone.`}
      </p>
      {open && <Costs status={status} policy={policy} />}
      <div class="actions">
        {!open && (
          <button type="button" class="primary" onClick={() => show(true)}>
            What it costs and risks
          </button>
        )}
        {open && (
          <>
            <button ref={yes} type="button" class="primary" disabled={!enough || task.busy} onClick={bond}>
              Bond {needed} envelopes and contribute
            </button>
            <button type="button" onClick={() => show(false)}>
              Not now
            </button>
          </>
        )}
      </div>
      <TaskOutcome of={task} />
    </section>
  )
}
