import { Ago } from '#ui/part/ago.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'

const custodyWords = {
  node: 'The node keeps the secret key. Take it along with POST /api/auth/account/export.',
  self: 'You keep the secret key; the node has never seen it.',
} as const

/** The account of this session. */
export const AccountCard = ({ session }: { readonly session: PageSession }) => {
  const { value: account, problem } = useReading((signal) => session.call('GET /api/auth/account', {}, { signal }), {
    on: [session],
  })
  return (
    <section class="card" aria-label="Account">
      <h3>Account</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {account === undefined && problem === undefined && <p class="about">reading …</p>}
      {account !== undefined && (
        <dl>
          <Fact name="ZID">
            <code>{account.zid}</code> {account.owner && <span class="badge sealed">owner of this node</span>}
          </Fact>
          <Fact name="custody">
            {account.custody} <span class="about">{custodyWords[account.custody]}</span>
          </Fact>
          <Fact name="public key">
            <code>{account.public_key}</code>
          </Fact>
          <Fact name="owns">
            <a href="#wallet">credits, coins and envelopes</a>
          </Fact>
          <Fact name="made">
            <Ago tick={account.created_tick} />
          </Fact>
        </dl>
      )}
    </section>
  )
}
