import { useReading } from '#ui/server/reading.ts'
import { leaveOwner } from '#ui/server/self.ts'
import type { CreditsShape } from '#ui/server/shapes.ts'
import type { Session } from '#ui/session.ts'

/** Another tab may spend from the same key. */
const READ_EVERY_MS = 10_000

interface Props {
  readonly session: Session
  /** Runs that are over. */
  readonly runs: number
}

const leftText = ({ available, calls_left_today: calls }: CreditsShape): string =>
  calls === null ? `${available} credits` : `${calls} calls today`

/** Who this page acts as, and the credits left. */
export const Who = ({ session, runs }: Props) => {
  const { kind, key, zid } = session.self
  const { value } = useReading((signal) => session.send<CreditsShape>('/api/credits/status', { signal }), {
    everyMs: READ_EVERY_MS,
    on: [session, kind, key, runs],
  })
  const leave = (): void => void leaveOwner().then(session.become, () => undefined)
  return (
    <p class="who" data-self={kind}>
      <span title={zid}>{kind === 'owner' ? 'owner' : 'demo key'}</span>
      {value !== undefined && <span class="credits">{leftText(value)}</span>}
      {kind === 'owner' && (
        <button type="button" class="small" onClick={leave}>
          Leave
        </button>
      )}
    </p>
  )
}
