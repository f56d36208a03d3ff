import type { ContractFinding as Finding } from '#numerics/contracts/checker/finding.ts'
import type { Looking } from './use-plan.ts'

const severityClass = { fault: 'bad', warning: 'promised', note: 'final' } as const
/** Findings that are listed. */
const ROWS_MAX = 100

interface Props {
  readonly looking: Looking
  readonly version: string | undefined
  readonly onGo: (path: string) => void
  /** Plays the way that a finding tells. */
  readonly onPlay: (finding: Finding) => void
}

const valuesText = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ')

const Trace = ({ of: { trace = [] } }: { readonly of: Finding }) => (
  <details>
    <summary>The way there, in {trace.length === 1 ? 'one step' : `${trace.length} steps`}</summary>
    <ol class="plain">
      {trace.map((it, i) => (
        <li key={`${i} ${it.tick}`}>
          after {it.tick} ticks{it.event !== undefined && `, event ${it.event.name} (${valuesText(it.event.data)})`}
          {it.due !== undefined && ', the clock'}
          {it.readings !== undefined && `, readings ${valuesText(it.readings)}`}: in {it.state}
          {Object.keys(it.context).length > 0 && `, ${valuesText(it.context)}`}
        </li>
      ))}
    </ol>
  </details>
)

const Row = ({ of, onGo, onPlay }: { readonly of: Finding } & Pick<Props, 'onGo' | 'onPlay'>) => (
  <li data-rule={of.rule} data-answer={of.answer}>
    <span class={`badge ${severityClass[of.severity]}`}>{of.answer}</span> {of.reason}{' '}
    <button type="button" class="link" onClick={() => onGo(of.path)}>
      {of.path === '' ? 'the whole' : of.path}
    </button>
    {of.witness !== undefined && Object.keys(of.witness).length > 0 && (
      <p class="about">For example with {valuesText(of.witness)}.</p>
    )}
    {of.trace !== undefined && of.trace.length > 0 && (
      <>
        <Trace of={of} />
        <button type="button" class="small" onClick={() => onPlay(of)}>
          Play it below
        </button>
      </>
    )}
  </li>
)

/** What can go wrong with a contract: what is proved, what is refuted, and what nobody knows. */
export const Checks = ({ looking: { looked, version: of, problem }, version, ...go }: Props) => {
  const fresh = version !== undefined && of === version
  const findings = looked?.findings ?? []
  return (
    <section class="card" aria-label="What can go wrong" data-checked={fresh ? version : undefined}>
      <h3>What can go wrong</h3>
      <p class="about" role="status">
        {problem !== undefined && <span class="wrong">{problem}</span>}
        {version === undefined && 'This is looked at once there is no fault.'}
        {version !== undefined && !fresh && problem === undefined && 'looking …'}
        {fresh && findings.length === 0 && 'Nothing was found.'}
      </p>
      {fresh && findings.length > 0 && (
        <ul class="findings">
          {findings.slice(0, ROWS_MAX).map((it, i) => (
            <Row key={`${i} ${it.path}`} of={it} {...go} />
          ))}
        </ul>
      )}
    </section>
  )
}
