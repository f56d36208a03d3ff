import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { ApiProblem } from '#ui/server/api.ts'
import { mintSelf, signUp } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'

interface Props {
  readonly problem: Error
  readonly session: PageSession
  /** Makes the refused call again. */
  readonly onAgain?: () => void
}

/** Credits that the owner gives to itself by one press. */
const GRANTED = 1000

const DemoAdvice = ({ session, onAgain }: Omit<Props, 'problem'>) => {
  const task = useTask()
  const account = (): void =>
    task.run(async () => {
      session.become((await signUp()).self)
      onAgain?.()
      return 'The account is made, and this browser signed in. Its key stands under Settings: keep it.'
    })
  const mint = (): void =>
    task.run(async () => {
      session.become(await mintSelf())
      return 'This page now has a fresh demo key. Run again.'
    })
  return (
    <div>
      <p>
        The 100 free credits of this demo key are used up. An account has 1,287 free ones, and owns what it computes; it
        takes no name and no address.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={account} disabled={task.busy}>
          {onAgain === undefined ? 'Make an account' : 'Make an account and run it'}
        </button>
        <button type="button" onClick={mint} disabled={task.busy}>
          Take a fresh demo key
        </button>
      </div>
      <TaskOutcome of={task} />
    </div>
  )
}

const OwnerAdvice = ({ session, onAgain }: Omit<Props, 'problem'>) => {
  const task = useTask()
  const grant = (): void =>
    task.run(async () => {
      await session.call('POST /api/credits/grant', { zid: session.self.zid, credits: GRANTED })
      onAgain?.()
      session.settled()
      return `${GRANTED} credits more.`
    })
  return (
    <div>
      <p>This node is yours: its credits cost nothing, and are counted so that receipts say what a result took.</p>
      <div class="actions">
        <button type="button" class="primary" onClick={grant} disabled={task.busy}>
          Give me {GRANTED} credits{onAgain !== undefined && ' and run it'}
        </button>
      </div>
      <TaskOutcome of={task} />
    </div>
  )
}

/** How to get credits; nothing for any other refusal than that there are too few. */
export const CreditAdvice = ({ problem, ...rest }: Props) => {
  if (!(problem instanceof ApiProblem) || problem.status !== 402) return null
  const { kind, zid } = rest.session.self
  if (kind === 'demo') return <DemoAdvice {...rest} />
  if (kind === 'owner') return <OwnerAdvice {...rest} />
  return (
    <p>
      The node’s owner can grant credits to this account: <code>tickmesh credits grant {zid} 1000</code>
    </p>
  )
}
