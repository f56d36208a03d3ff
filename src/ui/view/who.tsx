import type { ResultAt } from '#api/result-of.ts'
import { useReading } from '#ui/server/reading.ts'
import { isVisitor, signOut } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'

/** Another tab may spend from the same key. */
const READ_EVERY_MS = 10_000

interface Props {
  readonly session: PageSession
  /** Runs that are over. */
  readonly runs: number
}

/** What a word for who one is means. */
const titles: Readonly<Record<string, string>> = {
  demo: 'a key that this browser was given to try the node: 100 free credits, no account',
}

const leftText = ({ available, calls_left_today: calls }: ResultAt<'GET /api/credits/status'>): string =>
  calls === null ? `${available} credits` : `${calls} calls today`

/** Who this page acts as, and the credits left. */
export const Who = ({ session, runs }: Props) => {
  const { kind, key, zid } = session.self
  const visitor = isVisitor(session.self)
  const read = (signal: AbortSignal) =>
    visitor ? Promise.resolve(undefined) : session.call('GET /api/credits/status', {}, { signal })
  const { value } = useReading(read, {
    everyMs: visitor ? undefined : READ_EVERY_MS,
    on: [session, kind, key, runs],
  })
  const go = (): void => void signOut(session.self).then(session.become, () => undefined)
  return (
    <p class="who" data-self={kind}>
      <a
        href={kind === 'demo' ? '#settings' : '#wallet'}
        title={
          visitor ? 'nobody yet: a demo key with 100 free credits is made at the first run' : (titles[kind] ?? zid)
        }
      >
        <span class="who-name">{visitor ? 'Sign in' : kind === 'demo' ? 'demo key' : kind}</span>
        {value !== undefined && (
          <>
            {' '}
            <span class="credits">{leftText(value)}</span>
          </>
        )}
      </a>
      {kind !== 'demo' && (
        <button type="button" class="small" onClick={go}>
          Sign out
        </button>
      )}
    </p>
  )
}
