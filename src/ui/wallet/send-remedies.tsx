import { ApiProblem, NodeGone } from '#ui/server/api.ts'
import { leftOut, type Sending, tokensOf } from './use-send.ts'
import { envelopesText } from './wallet.ts'

interface Props {
  readonly sending: Sending
  readonly problem: Error
  readonly onStale: () => void
}

/** Refusals that a list which was read anew may end. */
const STALE = new Set(['NOT_FOUND', 'SUPERSEDED'])
/** Refusals of one envelope, which the others need not share. */
const OF_ONE = new Set(['SOULBOUND', 'ENVELOPE_LOCKED', 'NOT_FOUND', 'SUPERSEDED'])
/** Refusals that pass. */
const PASSING = new Set(['HOME_UNREACHABLE', 'NODE_BUSY', 'CLOCK_BEHIND'])

/** What the sender can do about a refusal, each by one press. */
export const SendRemedies = ({ sending, problem, onStale }: Props) => {
  const { preview, again, confirm, back } = sending
  if (preview === undefined) return null
  // The same name: if the answer was lost and not the call, the node tells what it did the first time.
  const repeat = (
    <button type="button" onClick={confirm}>
      Try again
    </button>
  )
  if (problem instanceof NodeGone) return repeat
  if (!(problem instanceof ApiProblem)) return null
  const { code, members } = problem
  const { order, to } = preview
  const { token_id: token, movable } = members
  const rest = typeof token === 'string' ? leftOut(order, token) : undefined
  const named = typeof token === 'string' && tokensOf(order).includes(token)
  return (
    <>
      {code === 'UNKNOWN_ZID' && (
        <>
          <p>
            Compare all of {to} with what its owner says. Sent all the same, it waits for whoever holds that key; with a
            wrong letter it waits for nobody, for ever.
          </p>
          <button type="button" onClick={() => again({ allowUnknown: true })}>
            It is right: send all the same
          </button>
        </>
      )}
      {code === 'TOO_FEW' && typeof movable === 'number' && movable > 0 && (
        <button type="button" onClick={() => again({ order: { kind: 'count', count: movable } })}>
          Send {envelopesText(movable)}
        </button>
      )}
      {OF_ONE.has(code) && rest !== undefined && named && tokensOf(rest).length > 0 && (
        <button type="button" onClick={() => again({ order: rest })}>
          Leave {String(token).slice(0, 8)} out and send the rest
        </button>
      )}
      {STALE.has(code) && (
        <button
          type="button"
          onClick={() => {
            back()
            onStale()
          }}
        >
          Read the list again
        </button>
      )}
      {code === 'SCOPE_REQUIRED' && members['scope'] === 'zid-key' && (
        <p>
          This account keeps its own key, which this page never sees. Sign the op where the key is, with{' '}
          <code>tickmesh zid sign</code>, and post it to <a href="/docs/reference">/api/tally/token-op</a>.
        </p>
      )}
      {PASSING.has(code) && repeat}
    </>
  )
}
