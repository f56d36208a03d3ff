import { useEffect, useState } from 'preact/hooks'
import { CheckRow } from '#ui/part/check-row.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { freshName } from '#ui/server/fresh-name.ts'
import type { PageSession } from '#ui/session.ts'
import { copy } from './evidence.ts'
import { Qr } from './qr.tsx'

interface Props {
  readonly envelope: EnvelopeSummary
  /** Of the claim; the link of an open receipt carries it in its fragment. */
  readonly nonce: string | undefined
  readonly session: PageSession
}

/** Whether whoever looks at it may open it to others. One of the house is the visitor's if the key alone shows it. */
const isOwners = ({ issued_to: owner }: EnvelopeSummary, { self }: PageSession, guest: boolean): boolean =>
  owner === self.zid && (owner !== 'house' || (self.kind === 'demo' && !guest))

/** The address of a receipt, as a link and as a code, and the owner's choice of who may open it. */
export const ShareCard = ({ envelope, nonce, session, guest }: Props & { readonly guest: boolean }) => {
  const [shared, share] = useState(envelope.shared)
  // Told by the node, whoever chose it. The card stays as it is meanwhile: its box has the focus, its words are read.
  useEffect(() => share(envelope.shared), [envelope.shared])
  /** What was chosen, until the node says what is so: the link leads somewhere only then. */
  const [wanted, want] = useState<boolean>()
  const task = useTask()
  const { token_id: token } = envelope
  /** What opens it, as the node said when it was opened: the bundle, which has it too, may not be there yet. */
  const [opening, open] = useState<string>()
  const fragment = shared ? (nonce ?? opening) : undefined
  const address = `${location.origin}/r/${token}${fragment === undefined ? '' : `#${fragment}`}`
  const own = isOwners(envelope, session, guest)
  const turn = (on: boolean): void =>
    task.run(async () => {
      want(on)
      try {
        const headers = { 'Idempotency-Key': freshName() }
        const { link } = await session.call(
          'POST /api/envelopes/{token_id}/share',
          { token_id: token, on },
          { headers },
        )
        open(link?.split('#')[1])
        share(on)
      } finally {
        want(undefined)
      }
      return on ? 'Whoever has the link can read it now.' : 'Closed. The link leads nowhere for others.'
    })
  const onCopy = (): void =>
    task.run(async () => {
      await copy(new Blob([address]))
      return 'The link is on the clipboard.'
    })
  return (
    <section class="card share-card" aria-label="Share">
      <h3>Its address</h3>
      <div class="share-row">
        <Qr text={address} label={`QR code of ${address}`} />
        <div class="share-words">
          <p>
            <a class="address" href={address}>
              {address}
            </a>
          </p>
          <div class="actions">
            <button type="button" onClick={onCopy}>
              Copy link
            </button>
          </div>
          {own && (
            <CheckRow checked={wanted ?? shared} disabled={task.busy} onCheck={turn}>
              Whoever has the link may read it
            </CheckRow>
          )}
          <p class="about">
            {shared
              ? 'The part behind # opens it, and browsers send that part to nobody. Inputs and result can be read.'
              : 'Only you can open it: to everyone else there is no such receipt.'}
          </p>
          <TaskOutcome of={task} />
        </div>
      </div>
    </section>
  )
}
