import type { ResultAt } from '#api/result-of.ts'
import { Fact } from '#ui/part/fact.tsx'
import { ticksText } from '#ui/text/ago.ts'
import type { ContributeRules } from './words.ts'

interface Props {
  readonly policy: ContributeRules
  readonly census: ResultAt<'GET /api/contribute/census'> | undefined
}

/** The rules in short, what they promise, and how many go by them. */
export const Rules = ({ policy, census }: Props) => (
  <section class="card" aria-label="The rules">
    <h3>The rules</h3>
    <dl>
      <Fact name="challenge">
        a work may be challenged for {ticksText(policy.dispute_ticks)} after it was published
      </Fact>
      <Fact name="samples">
        {policy.samples.default} segments of each work are run again, {policy.samples.strict} under a strict policy
      </Fact>
      <Fact name="audits">{policy.audit_rate_millionths.default / 10_000} % of all works are run again whole</Fact>
      <Fact name="nodes">
        {census === undefined || census.modes.length === 0
          ? 'fewer than three in any mode: no count is shown'
          : census.modes.map(({ mode, nodes }) => `${nodes} ${mode}`).join(', ')}
      </Fact>
    </dl>
    <ul>
      {policy.said.map((it) => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  </section>
)
