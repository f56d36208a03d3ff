import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Verdict } from '#ui/part/verdict.tsx'
import { verifyHere } from './verify.ts'
import type { FileVerdict } from './verify-file.ts'

/** Where a verification stands. */
interface State {
  /** Share of the re-run that is done, while it goes on. */
  readonly share?: number
  readonly found?: FileVerdict
  readonly problem?: string
}

export interface Verifying extends State {
  /** Begins anew; what was going on ends. */
  start(): void
  stop(): void
}

interface Options {
  /** Fetches or reads the evidence; called once for each start. */
  readonly evidence: (signal: AbortSignal) => Promise<Blob>
  /** Whom this browser trusts, from outside the evidence. */
  readonly trusted: string
  /** Key successions as the node lists them. */
  readonly past: unknown
}

/** A verification in this browser: signature, proof and a bit-for-bit re-run. */
export const useVerifying = ({ evidence, trusted, past }: Options): Verifying => {
  const [state, show] = useState<State>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    show({ share: 0 })
    try {
      const question = { evidence: await evidence(stop.signal), trusted, past }
      const found = await verifyHere(question, (share) => show({ share }), stop.signal)
      show({ found })
    } catch (error) {
      if (running.current !== stop) return
      show(stop.signal.aborted ? {} : { problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return { ...state, start: () => void run(), stop: () => running.current?.abort() }
}

interface ButtonProps {
  readonly of: Verifying
  readonly label?: string
  /** What is verified, where several such buttons stand near each other. */
  readonly children?: ComponentChildren
}

/** The buttons of a verification. */
export const VerifyButton = ({ of, label = 'Verify here', children }: ButtonProps) =>
  of.share === undefined ? (
    <button type="button" onClick={of.start}>
      {label}
      {children}
    </button>
  ) : (
    <button type="button" onClick={of.stop}>
      Stop verifying
      {children}
    </button>
  )

/** How far a verification is, and what it found. */
export const VerifyOutcome = ({ of: { share, found, problem } }: { readonly of: Verifying }) => (
  <>
    {share !== undefined && <progress value={share} max={1} aria-label="re-run in this browser" />}
    {problem !== undefined && (
      <p class="wrong" role="alert">
        {problem}
      </p>
    )}
    {found !== undefined && <Verdict of={found} subject={found.subject} explained />}
  </>
)
