import { useState } from 'preact/hooks'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { isVisitor, keptKey, signIn, signOut, signUp } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'

const words = {
  owner:
    'This browser holds the owner’s session: it came by the owner link, and ends with the node or when you sign out.',
  account: 'This browser is signed in with an API key, which it keeps until you sign out.',
  demo:
    'This browser uses a demo key, made by its first run: 100 free credits to try the node with. It owns neither ' +
    'machines nor settings; what it seals belongs to the house, the node’s own account, and this browser remembers ' +
    'the receipts.',
  visitor:
    'Nobody is signed in, and nothing was run here yet. The first run makes a demo key with 100 free credits; an ' +
    'account has more, and owns its receipts and machines.',
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
  const key = kind === 'account' ? keptKey() : null
  const [open, show] = useState(false)
  const go = (): void => void signOut(session.self).then(session.become, () => undefined)
  return (
    <section class="card" aria-label="Session" data-part="session" data-self={kind}>
      <h3>Session</h3>
      <p>{words[isVisitor(session.self) ? 'visitor' : kind]}</p>
      <SignIn session={session} />
      {open && key !== null && (
        <SecretOnce
          name="API key of this account"
          note="Whoever has it is this account: keep it where this browser is not."
          secret={key}
          onDone={() => show(false)}
        />
      )}
      {kind !== 'demo' && (
        <div class="actions">
          {key !== null && (
            <button type="button" onClick={() => show(true)}>
              Show the key
            </button>
          )}
          <button type="button" onClick={go}>
            Sign out
          </button>
        </div>
      )}
    </section>
  )
}
