import { useEffect } from 'preact/hooks'
import type { PageSession } from '#ui/session.ts'
import { AccountCard } from './account-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { NodeCard } from './node-card.tsx'
import { PublishCard } from './publish-card.tsx'
import { SessionCard } from './session-card.tsx'
import { ThemeCard } from './theme-card.tsx'

/**
 * Who this browser is, what its account chose, how the page looks, and which node it talks to.
 *
 * @param part what of it was asked for, by the address.
 */
export const SettingsView = ({
  session,
  part,
}: {
  readonly session: PageSession
  readonly part: string | undefined
}) => {
  useEffect(() => {
    if (part !== undefined && /^[a-z]+$/.test(part)) document.querySelector(`[data-part=${part}]`)?.scrollIntoView()
  }, [part])
  const { kind, key = kind, zid } = session.self
  const person = kind !== 'demo'
  return (
    <article>
      <h2>Settings</h2>
      <div class="tiles two">
        <SessionCard session={session} />
        <ThemeCard />
      </div>
      {person && (
        <div class="tiles two" key={`${zid} ${key}`}>
          <AccountCard session={session} />
          <PublishCard session={session} />
        </div>
      )}
      {person && <KeysCard key={`${zid} ${key}`} session={session} />}
      <NodeCard vkey={session.vkey} node={session.node} />
    </article>
  )
}
