import { useEffect, useRef, useState } from 'preact/hooks'
import type { Verification } from '#core/verify.ts'
import { verifyHere } from './verify.ts'

const words = { verified: 'Verified', failed: 'Not verified', unchecked: 'Could not check everything' } as const
const marks = { ok: '✓', failed: '✗', skipped: '–' } as const

/** The steps of a verification, each with what was found. */
export const VerificationView = ({ found }: { readonly found: Verification }) => (
  <div class={`verdict ${found.outcome}`} role="status" data-outcome={found.outcome}>
    <p class="verdict-line">
      {words[found.outcome]}
      {found.failing !== undefined && `: ${found.failing}`}
    </p>
    <ol class="steps">
      {found.steps.map(({ step, state, detail }) => (
        <li key={step} class={state} data-step={step} data-state={state}>
          <span aria-hidden="true">{marks[state]}</span> <b>{step}</b> <span class="detail">{detail}</span>
        </li>
      ))}
    </ol>
  </div>
)

interface Props {
  /** Fetches or reads the bundle; called once for each press. */
  readonly bundle: (signal: AbortSignal) => Promise<unknown>
  /** Whom this browser trusts, from outside the bundle. */
  readonly trusted: string
  readonly label?: string
}

/** A button that verifies in this browser: signature, proof and a bit-for-bit re-run. */
export const VerifyPanel = ({ bundle, trusted, label = 'Verify here' }: Props) => {
  const [share, progress] = useState<number>()
  const [found, show] = useState<Verification>()
  const [problem, complain] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const verify = async (): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    show(undefined)
    complain(undefined)
    progress(0)
    try {
      show(await verifyHere({ bundle: await bundle(stop.signal), trusted }, progress, stop.signal))
    } catch (error) {
      if (!stop.signal.aborted) complain(error instanceof Error ? error.message : String(error))
    } finally {
      progress(undefined)
    }
  }
  return (
    <div class="verify">
      <button type="button" onClick={() => void verify()} disabled={share !== undefined}>
        {label}
      </button>
      {share !== undefined && <progress value={share} max={1} aria-label="re-run" />}
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
      {found !== undefined && <VerificationView found={found} />}
    </div>
  )
}
