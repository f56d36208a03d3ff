import { useState } from 'preact/hooks'
import { ApiProblem } from '#ui/server/api.ts'
import { mintSelf } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'

const DemoAdvice = ({ session }: { readonly session: PageSession }) => {
  const [said, say] = useState('')
  const mint = (): void => {
    void mintSelf().then(
      (self) => {
        session.become(self)
        say('This page now has a fresh demo key. Run again.')
      },
      (error: Error) => say(error.message),
    )
  }
  return (
    <div>
      <p>
        A demo key has 100 credits. Take a fresh one here, or sign up (<code>POST /api/auth/sign-up</code>) for an
        account with 1,287 free credits, to which the node's owner can grant more.
      </p>
      <div class="actions">
        <button type="button" onClick={mint}>
          Take a fresh demo key
        </button>
        <span class="about" role="status">
          {said}
        </span>
      </div>
    </div>
  )
}

/** How to get credits; nothing for any other refusal than that there are too few. */
export const CreditAdvice = ({ problem, session }: { readonly problem: Error; readonly session: PageSession }) => {
  if (!(problem instanceof ApiProblem) || problem.status !== 402) return null
  if (session.self.kind === 'demo') return <DemoAdvice session={session} />
  return (
    <p>
      As the owner, grant credits on the command line: <code>tickmesh credits grant {session.self.zid} 1000</code>
    </p>
  )
}
