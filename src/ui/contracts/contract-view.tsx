import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { Ago, MeshTime } from '#ui/part/ago.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { AuditPart } from './audit-part.tsx'
import { statusClass, statusWords } from './contract.ts'
import { Controls, TransitionForm } from './controls.tsx'
import { Diagram } from './diagram.tsx'
import { FiresHere } from './fires-here.tsx'
import { modelOf } from './model.ts'
import { type ShownContract as Contract, readContract, type Which } from './reads.ts'
import { SecretsPart } from './secrets-part.tsx'
import { ToldWarnings } from './told-warnings.tsx'
import { type LiveTaken, useTaken } from './use-taken.ts'
import { VersionsPart } from './versions-part.tsx'
import '#ui/style/contracts.css'

const READ_EVERY_MS = 5_000

const tabs = [
  ['now', 'Now'],
  ['audit', 'Audit'],
  ['versions', 'Versions'],
] as const

const Context = ({ contract: { context } }: { readonly contract: Contract }) => {
  const rows = Object.entries(context)
  if (rows.length === 0) return <p class="about">It remembers nothing.</p>
  return (
    <RowTable heads={['Member', 'Value']} look="context">
      {rows.map(([name, value]) => (
        <tr key={name} data-member={name}>
          <th scope="row">{name}</th>
          <td class="wrap">
            <code>{JSON.stringify(value)}</code>
          </td>
        </tr>
      ))}
    </RowTable>
  )
}

const linkWords = { opening: 'opening …', live: 'live', lost: 'lost; taking it up again …', refused: 'ended' } as const

const TakenList = ({ live: { taken, link } }: { readonly live: LiveTaken }) => (
  <section class="card" aria-label="Transitions" data-link={link}>
    <div class="card-head">
      <h3>Transitions</h3>
      <span class={`badge ${link === 'live' ? 'final' : 'promised'}`}>{linkWords[link]}</span>
    </div>
    {taken.length === 0 && <p class="about">None since you came.</p>}
    <ol class="plain" reversed>
      {taken.map((it) => (
        <li key={it.no} data-taken={it.no}>
          {it.from} → {it.to} by {it.steps.join(', ')}, <Ago tick={it.tick} />
        </li>
      ))}
    </ol>
  </section>
)

interface PartProps {
  readonly session: PageSession
  readonly contract: Contract
  readonly live: LiveTaken
  readonly onDone: () => void
}

const Now = ({ session, contract, live, onDone }: PartProps) => {
  const definition = contract.definition as unknown as Definition
  const model = useMemo(() => modelOf(contract.definition), [contract.version])
  return (
    <>
      <Controls session={session} contract={contract} onDone={onDone} />
      <div class="split">
        <section class="card" aria-label="States">
          <h3>States</h3>
          {model !== undefined && <Diagram model={model} present={contract.state} taken={live.taken[0]?.steps} />}
        </section>
        <section class="card" aria-label="Context">
          <h3>Context</h3>
          <Context contract={contract} />
          <p class="about">
            Failures in a row: {contract.failures}. Today: {contract.spent.credits} credits, {contract.spent.fires}{' '}
            fires.
          </p>
        </section>
      </div>
      <TransitionForm session={session} contract={contract} onDone={onDone} />
      <SecretsPart session={session} contract={contract} onDone={onDone} />
      <FiresHere contract={contract} definition={definition} />
      <TakenList live={live} />
    </>
  )
}

const Head = ({ contract }: { readonly contract: Contract }) => (
  <>
    <h2>{contract.name}</h2>
    <p class="row-head">
      <span class={`badge ${statusClass[contract.status]}`} data-status={contract.status}>
        {contract.status}
      </span>
      <span>
        in <b data-state={contract.state}>{contract.state}</b>
      </span>
      {contract.done && <span class="badge">done</span>}
      {contract.firing && <span class="badge promised">firing</span>}
      <span class="about">{statusWords(contract)}</span>
    </p>
    <dl class="facts">
      <FactBox name="machine">
        <a href={`#machine/${contract.slug}/contracts`}>{contract.slug}</a>
      </FactBox>
      <FactBox name="fires">
        <span data-fires={contract.fire_count}>{contract.fire_count}</span>
      </FactBox>
      <FactBox name="version">
        {contract.version_no} <Short text={contract.version} />
      </FactBox>
      <FactBox name="in this state since">
        <MeshTime tick={contract.entered_tick} />
      </FactBox>
      <FactBox name="name in digests">
        <Short text={contract.contract} />
      </FactBox>
    </dl>
  </>
)

interface Props extends Which {
  readonly session: PageSession
  readonly tab: string
}

/** One contract: where it stands, what moves it next, what it did, and what it was before. */
export const ContractView = ({ session, slug, id, tab }: Props) => {
  const [changes, count] = useState(0)
  const { zid, key } = session.self
  const live = useTaken(session, { slug, id })
  const came = live.taken[0]?.no ?? -1
  useEffect(() => count((it) => it + 1), [came])
  const { value: contract, problem } = useReading((signal) => readContract(session, { slug, id }, signal), {
    everyMs: READ_EVERY_MS,
    on: [session, zid, key, slug, id, changes],
  })
  const onDone = (): void => count((it) => it + 1)
  return (
    <article class="contracts" data-contract={id}>
      <p class="crumb">
        <a href="#contracts">Contracts</a> · <a href={`#machine/${slug}/contracts`}>{slug}</a>
      </p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {contract === undefined && problem === undefined && <p class="card about">reading …</p>}
      {contract !== undefined && (
        <>
          <Head contract={contract} />
          <ToldWarnings of={contract} />
          <nav class="tabs" aria-label="contract">
            {tabs.map(([name, title]) => (
              <a key={name} href={`#contract/${slug}/${id}/${name}`} aria-current={name === tab ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
          {tab === 'audit' && <AuditPart session={session} slug={slug} id={id} came={changes} />}
          {tab === 'versions' && (
            <VersionsPart session={session} slug={slug} id={id} contract={contract} onDone={onDone} />
          )}
          {tab !== 'audit' && tab !== 'versions' && (
            <Now session={session} contract={contract} live={live} onDone={onDone} />
          )}
        </>
      )}
    </article>
  )
}
