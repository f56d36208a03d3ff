import { useState } from 'preact/hooks'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { leave, signIn, signUp } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'

const words = {
  owner: 'This browser holds the owner’s session: it came by the owner link, and ends with the node or with Leave.',
  account: 'This browser is signed in with an API key, which it keeps until you leave.',
  demo: 'This browser uses a demo key: it may compute, and owns neither machines nor settings.',
} as const

const SignIn = ({ session }: { readonly session: PageSession }) => {
  const [typed, type] = useState('')
  const [fresh, keep] = useState<string>()
  const task = useTask()
  const enter = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      session.become(await signIn(typed.trim()))
      type('')
      return 'Signed in.'
    })
  }
  const make = (): void =>
    task.run(async () => {
      const { self, key } = await signUp()
      keep(key)
      session.become(self)
      return 'The account is made, and this browser signed in.'
    })
  const demo = session.self.kind === 'demo'
  return (
    <>
      {fresh !== undefined && (
        <SecretOnce name="API key of the new account" secret={fresh} onDone={() => keep(undefined)} />
      )}
      {demo && (
        <form onSubmit={enter}>
          <TextRow
            id="sign-in"
            label="API key of an account"
            type="password"
            autocomplete="off"
            value={typed}
            onText={type}
          />
          <div class="actions">
            <Submit disabled={typed.trim() === '' || task.busy}>Sign in</Submit>
            <button type="button" onClick={make} disabled={task.busy}>
              New account
            </button>
          </div>
        </form>
      )}
      <TaskOutcome of={task} />
    </>
  )
}

/** Whom this browser acts as, and how to become somebody else. */
export const SessionCard = ({ session }: { readonly session: PageSession }) => {
  const { kind } = session.self
  const go = (): void => void leave(session.self).then(session.become, () => undefined)
  return (
    <section class="card" aria-label="Session" data-self={kind}>
      <h3>Session</h3>
      <p>{words[kind]}</p>
      <SignIn session={session} />
      {kind !== 'demo' && (
        <div class="actions">
          <button type="button" onClick={go}>
            Leave
          </button>
        </div>
      )}
    </section>
  )
}
