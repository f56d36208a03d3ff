import { useEffect } from 'preact/hooks'
import { useVerifying, VerifyOutcome } from '#ui/receipt/verifying.tsx'
import { fileOf } from './worked.ts'

interface Props {
  readonly bundle: object
  readonly trusted: string
  /** What was done to it before. */
  readonly about: string | undefined
}

/** Verifies a bundle as soon as it is drawn, by the page's own verifier, and shows each step. */
export const ProofSteps = ({ bundle, trusted, about }: Props) => {
  const verifying = useVerifying({ evidence: () => Promise.resolve(fileOf(bundle)), trusted, past: [] })
  useEffect(() => verifying.start(), [])
  return (
    <>
      <VerifyOutcome of={verifying} />
      {about !== undefined && verifying.found !== undefined && <p class="about">{about}</p>}
    </>
  )
}
