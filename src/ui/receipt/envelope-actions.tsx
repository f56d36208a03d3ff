import { useState } from 'preact/hooks'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import type { PageSession } from '#ui/session.ts'
import { copy, download, fetchEvidence } from './evidence.ts'
import { useVerifying, VerifyButton, VerifyOutcome } from './verifying.tsx'

interface Props {
  readonly envelope: EnvelopeSummary
  readonly session: PageSession
  /** Opens a receipt that is another's. */
  readonly nonce?: string | undefined
  /** In a list of receipts: what the buttons, which are small there, are said to be about. */
  readonly subject?: string
  /** Further buttons, in front. */
  readonly children?: preact.ComponentChildren
}

/** What can be done with a receipt: copy it, save it, verify it here. */
export const EnvelopeActions = ({ envelope, session, nonce, subject, children }: Props) => {
  const [said, say] = useState('')
  const { token_id: token, kind } = envelope
  const evidence = (signal: AbortSignal): Promise<Blob> => fetchEvidence(session, { token, nonce }, signal)
  const verifying = useVerifying({ evidence, trusted: session.vkey, past: session.past })
  const attempt = (work: (bundle: Blob) => Promise<string>) => (): void => {
    say('…')
    void evidence(new AbortController().signal)
      .then(work)
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then(say)
  }
  const onCopy = attempt(async (bundle) => {
    await copy(bundle)
    return 'The receipt is on the clipboard.'
  })
  const onDownload = attempt(async (bundle) => {
    const name = `${kind}-${token}.json`
    download(name, bundle)
    return `Saved as ${name}. On a command line: tickmesh verify ${name} --key ${session.node} --replay`
  })
  const about = subject !== undefined && <span class="unseen"> {subject}</span>
  return (
    <>
      <div class={subject === undefined ? 'actions' : 'actions quiet'}>
        {children}
        <button type="button" onClick={onCopy}>
          Copy
          {about}
        </button>
        <button type="button" onClick={onDownload}>
          Download
          {about}
        </button>
        <VerifyButton of={verifying}>{about}</VerifyButton>
      </div>
      <p class="about said" role="status">
        {said}
      </p>
      <VerifyOutcome of={verifying} />
    </>
  )
}
