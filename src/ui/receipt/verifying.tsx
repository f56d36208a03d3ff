import type { ComponentChildren } from 'preact'
import { type Rerunning, useRerun } from '#ui/part/use-rerun.ts'
import { Verdict } from '#ui/part/verdict.tsx'
import { verifyHere } from './verify.ts'
import type { FileVerdict } from './verify-file.ts'

export type Verifying = Rerunning<FileVerdict>

interface Options {
  /** Fetches or reads the evidence; called once for each start. */
  readonly evidence: (signal: AbortSignal) => Promise<Blob>
  /** Whom this browser trusts, from outside the evidence. */
  readonly trusted: string
  /** Key successions as the node lists them. */
  readonly past: unknown
}

/** A verification in this browser: signature, proof and a bit-for-bit re-run. */
export const useVerifying = ({ evidence, trusted, past }: Options): Verifying =>
  useRerun(async (tell, signal) => verifyHere({ evidence: await evidence(signal), trusted, past }, tell, signal))

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
