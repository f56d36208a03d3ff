import type { Verification } from '#core/verify.ts'
import { Verdict } from '#ui/part/verdict.tsx'
import { valueText, withUnit } from '#ui/text/numbers.ts'

const subjectOf = ({ bundle }: Verification): string => {
  if (bundle === undefined) return ''
  const { kind, value, unit } = bundle.envelope.claim
  return value === null ? kind : `${kind}, ${withUnit(valueText(value), unit)}`
}

/** What the verification of a bundle found. */
export const VerificationView = ({ found }: { readonly found: Verification }) => (
  <Verdict of={found} subject={subjectOf(found)} />
)
