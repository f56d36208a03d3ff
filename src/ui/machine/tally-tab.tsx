import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { RowTable } from '#ui/part/row-table.tsx'
import { ApiProblem } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { AccessProps } from './access-props.ts'
import { MintForm } from './mint-form.tsx'
import type { TallyHere } from './tally-here.ts'

const READ_EVERY_MS = 5_000
/** Ranges of one page of the list. */
const ROWS = 50

type Token = ResultAt<'GET /api/chain/{slug}/tally/token'>
type Ranges = ResultAt<'GET /api/chain/{slug}/tally/tokens'>
type Mint = ResultAt<'GET /api/chain/{slug}/tally/mint-rate'>

/** What the token is, and how much of it there is below the ceiling. */
const SupplyPart = ({ token }: { readonly token: Token }) => {
  const issued = token.max_supply - token.remaining
  return (
    <section class="card" aria-label="Token" data-issued={issued}>
      <h3>
        {token.avatar?.data_url != null && <img src={token.avatar.data_url} alt="" width={32} height={32} />}{' '}
        {token.name} <code>{token.symbol}</code>
      </h3>
      {token.description !== null && <p>{token.description}</p>}
      <p>
        <progress value={issued / token.max_supply} max={1} aria-label="issued" />{' '}
        {`${issued} of ${token.max_supply} units`}{' '}
        <span class="about">{`${token.remaining} may still come into being`}</span>
      </p>
    </section>
  )
}

/** Who has which units. */
const RangesPart = ({ slug, ranges, onMore }: { slug: string; ranges: Ranges; onMore: (after: number) => void }) => (
  <section class="card" aria-label="Units">
    <h3>Units</h3>
    <RowTable heads={['units', 'count', 'holder', 'entry']}>
      {ranges.ranges.map(({ first, last, count, owner, seq }) => (
        <tr key={first} data-first={first}>
          <td data-label="units">{first === last ? first : `${first} – ${last}`}</td>
          <td data-label="count">{count}</td>
          <td data-label="holder">{owner === 'owner' ? "the machine's owner" : <code>{owner}</code>}</td>
          <td data-label="entry">
            <a href={`#machine/${slug}/chain`}>{seq}</a>
          </td>
        </tr>
      ))}
    </RowTable>
    {ranges.withheld && <p class="about">Ranges that the chain says sealed are for the owner and their holders.</p>}
    {ranges.next_after !== null && (
      <div class="actions">
        <button type="button" class="small" onClick={() => onMore(ranges.next_after ?? 0)}>
          Further units
        </button>
      </div>
    )}
  </section>
)

interface Verified {
  readonly share?: string
  readonly found?: TallyHere
  readonly problem?: Error
}

/** A button that adds the token up again in this browser, and what came of it. */
const VerifyPart = ({ session, machine }: AccessProps) => {
  const [state, show] = useState<Verified>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [machine.slug])
  const verify = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    const { signal } = stop
    show({ share: '…' })
    try {
      const { tallyHere } = await import('./tally-here.ts')
      const tell = (entries: number, of: number): void => show({ share: `${entries} of ${of} …` })
      const found = await tallyHere({ session, machine, signal, tell })
      if (!signal.aborted) show({ found })
    } catch (error) {
      if (!signal.aborted) show({ problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  const { found, share, problem } = state
  return (
    <section class="card" aria-label="Verify the token">
      <h3>Does it add up?</h3>
      <p class="about">This browser takes the chain, verifies it, and gives out every unit again by the rule.</p>
      <div class="actions">
        <button type="button" disabled={share !== undefined} onClick={() => void verify()}>
          {share ?? 'Verify here'}
        </button>
      </div>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {found !== undefined && (
        <p class="said" role="status" data-outcome={found.outcome}>
          {found.said}
        </p>
      )}
    </section>
  )
}

const About = ({ role }: { readonly role: string }) => (
  <section class="card" aria-label="Token">
    <p>The machine has no token.</p>
    {role === 'owner' && (
      <p class="about">
        Its owner makes one, once and for good: <code>tickmesh machines tally create</code>
      </p>
    )}
  </section>
)

/** A machine's token: how much there is of it, who has it, how it is minted, and that it adds up. */
export const TallyTab = (props: AccessProps) => {
  const { session, machine } = props
  const { slug } = machine
  const [after, from] = useState(0)
  const [changes, count] = useState(0)
  const { value, problem } = useReading<{ token: Token; mint: Mint; ranges: Ranges }>(
    async (signal) => {
      const [token, mint, ranges] = await Promise.all([
        session.call('GET /api/chain/{slug}/tally/token', { slug, avatar: true }, { signal }),
        session.call('GET /api/chain/{slug}/tally/mint-rate', { slug }, { signal }),
        session.call('GET /api/chain/{slug}/tally/tokens', { slug, after, limit: ROWS }, { signal }),
      ])
      return { token, mint, ranges }
    },
    { everyMs: READ_EVERY_MS, on: [session, slug, after, changes] },
  )
  if (problem instanceof ApiProblem && problem.status === 404) return <About role={machine.role} />
  if (problem !== undefined) return <ProblemCard problem={problem} />
  if (value === undefined) return <p class="card about">reading …</p>
  return (
    <>
      <SupplyPart token={value.token} />
      <MintForm {...props} mint={value.mint} onChange={() => count((it) => it + 1)} />
      <RangesPart slug={slug} ranges={value.ranges} onMore={from} />
      <VerifyPart {...props} />
    </>
  )
}
