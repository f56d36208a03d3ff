import type { ResultAt } from '#api/result-of.ts'
import { useReading } from '#ui/server/reading.ts'
import { leave } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'

/** Another tab may spend from the same key. */
const READ_EVERY_MS = 10_000

interface Props {
  readonly session: PageSession
  /** Runs that are over. */
  readonly runs: number
}

const leftText = ({ available, calls_left_today: calls }: ResultAt<'GET /api/credits/status'>): string =>
  calls === null ? `${available} credits` : `${calls} calls today`

/** Who this page acts as, and the credits left. */
export const Who = ({ session, runs }: Props) => {
  const { kind, key, zid } = session.self
  const { value } = useReading((signal) => session.call('GET /api/credits/status', {}, { signal }), {
    everyMs: READ_EVERY_MS,
    on: [session, kind, key, runs],
  })
  const go = (): void => void leave(session.self).then(session.become, () => undefined)
  return (
    <p class="who" data-self={kind}>
      <a href="#settings" title={zid}>
        {kind === 'demo' ? 'demo key' : kind}
      </a>
      {value !== undefined && <span class="credits">{leftText(value)}</span>}
      {kind !== 'demo' && (
        <button type="button" class="small" onClick={go}>
          Leave
        </button>
      )}
    </p>
  )
}
