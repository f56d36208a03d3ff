import type { PageSession } from '#ui/session.ts'
import { AccountCard } from './account-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { NodeCard } from './node-card.tsx'
import { PublishCard } from './publish-card.tsx'
import { SessionCard } from './session-card.tsx'
import { ThemeCard } from './theme-card.tsx'

/** Who this browser is, what its account chose, how the page looks, and which node it talks to. */
export const SettingsView = ({ session }: { readonly session: PageSession }) => {
  const { kind, key = kind, zid } = session.self
  const person = kind !== 'demo'
  return (
    <article>
      <h2>Settings</h2>
      <div class="tiles">
        <SessionCard session={session} />
        <ThemeCard />
      </div>
      {person && (
        <div class="tiles" key={`${zid} ${key}`}>
          <AccountCard session={session} />
          <PublishCard session={session} />
        </div>
      )}
      {person && <KeysCard key={`${zid} ${key}`} session={session} />}
      <NodeCard vkey={session.vkey} node={session.node} />
    </article>
  )
}
