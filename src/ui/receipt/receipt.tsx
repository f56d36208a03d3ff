import { useState } from 'preact/hooks'
import { figure } from '#ui/plot/numbers.ts'
import type { Credential } from '#ui/server/api.ts'
import type { EnvelopeShape } from '#ui/server/shapes.ts'
import { download, fetchBundle } from './bundles.ts'
import { VerifyPanel } from './verify-panel.tsx'

interface Props {
  readonly envelope: EnvelopeShape
  readonly value?: { readonly value: number | null; readonly unit: string }
  readonly check?: { readonly against: string; readonly measured: number; readonly bound: number } | null
  readonly credential: Credential
  /** The node's own key: what this page pins. */
  readonly trusted: string
}

const Row = ({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** One envelope: what was measured, where it stands, and what can be done with it. */
export const Receipt = ({ envelope, value, check, credential, trusted }: Props) => {
  const [said, say] = useState('')
  const { token_id, hash } = envelope
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(JSON.stringify(await bundle(new AbortController().signal)))
    say('The bundle is on the clipboard.')
  }
  const bundle = (signal: AbortSignal): Promise<unknown> => fetchBundle(token_id, credential, signal)
  const save = async (): Promise<void> => {
    download(`${envelope.kind}-${token_id}.json`, await bundle(new AbortController().signal))
    say('Saved. On a command line: tickmesh verify FILE --key KEY --replay')
  }
  const attempt = (work: () => Promise<void>) => (): void =>
    void work().catch((error: unknown) => say(error instanceof Error ? error.message : String(error)))
  return (
    <section class="card receipt" aria-label="Receipt" data-token={token_id}>
      <h3>Receipt</h3>
      <dl>
        {value !== undefined && value.value !== null && (
          <Row name="value">
            {figure(value.value)} {value.unit}
          </Row>
        )}
        <Row name="measured error">
          {figure(envelope.precisionActual)} %
          {check?.against !== undefined && <span class="about"> against {check.against}</span>}
        </Row>
        <Row name="operators">{envelope.operators.join(' · ')}</Row>
        <Row name="tick">
          {envelope.tick}, phase {envelope.phase.toFixed(3)}, {envelope.state}
        </Row>
        <Row name="face value">
          {envelope.face_value} credits, {envelope.funding}, issued to {envelope.issued_to}
        </Row>
        <Row name="token">
          <code>{token_id}</code>
        </Row>
        <Row name="leaf hash">
          <code>{hash}</code>
        </Row>
      </dl>
      <div class="actions">
        <button type="button" onClick={attempt(copy)}>
          Copy
        </button>
        <button type="button" onClick={attempt(save)}>
          Download
        </button>
      </div>
      <VerifyPanel bundle={bundle} trusted={trusted} />
      <p class="about" aria-live="polite">
        {said}
      </p>
    </section>
  )
}
