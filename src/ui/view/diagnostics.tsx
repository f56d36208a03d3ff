import { Fact } from '#ui/part/fact.tsx'
import type { JobAnswer } from '#ui/server/answer.ts'
import { figure } from '#ui/text/numbers.ts'

/** What the check of an answer measured, beside the error that decides. */
export const Diagnostics = ({ answer: { check } }: { readonly answer: JobAnswer }) => {
  if (check === null) return null
  const figures = Object.entries(check.figures)
  return (
    <details class="card diagnostics">
      <summary>Diagnostics of the check</summary>
      <dl>
        <Fact name="compared with">{check.against}</Fact>
        <Fact name="measured error">
          {figure(check.measured)} % <span class="about">at most {figure(check.bound)} % is sealed</span>
        </Fact>
        {figures.map(([name, value]) => (
          <Fact key={name} name={name.replaceAll('_', ' ').replace(/ pct$/, '')}>
            <span title={String(value)}>{`${figure(value)}${name.endsWith('_pct') ? ' %' : ''}`}</span>
          </Fact>
        ))}
      </dl>
    </details>
  )
}
