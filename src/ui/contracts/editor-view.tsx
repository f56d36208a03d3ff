import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Query } from '#ui/address.ts'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { Cost, NextFires } from './ahead.tsx'
import { Checks } from './checks.tsx'
import { CodeArea, type CodeHandle } from './code-area.tsx'
import { Deploy, DeployChange } from './deploy.tsx'
import { Diagram } from './diagram.tsx'
import { keepDraft, keptDraft } from './draft.ts'
import { type ContractExample, examples, writtenOut } from './examples.ts'
import { FaultList } from './fault-list.tsx'
import { rowsOfTrace, type TypedHappening } from './happenings.ts'
import type { JsonSpan } from './json-map.ts'
import type { JudgedText } from './judge.ts'
import { OpenFile } from './open-file.tsx'
import { readContract, type ShownContract, type Which } from './reads.ts'
import { type ShownStep, SimulationCard } from './simulation.tsx'
import { useJudged } from './use-judged.ts'
import { useLook } from './use-plan.ts'
import '#ui/style/contracts.css'

const FAULTS_ID = 'contract-faults'

const FIRST = writtenOut(examples[0]?.definition ?? {})

/** The text that is worked on: kept in this browser with every letter, and one step back where it was replaced. */
const useDraft = (of: string, first: string) => {
  const [text, set] = useState(() => keptDraft(of) ?? first)
  const [before, keep] = useState<string>()
  const type = (next: string): void => {
    set(next)
    keepDraft(of, next)
  }
  const replace = (next: string): void => {
    keep(next === text ? undefined : text)
    type(next)
  }
  const back = (): void => {
    if (before !== undefined) type(before)
    keep(undefined)
  }
  return { text, type, replace, back: before === undefined ? undefined : back }
}

type Draft = ReturnType<typeof useDraft>

/** Whether nothing would be lost by another text. */
const isGiven = (text: string): boolean =>
  text.trim() === '' || examples.some(({ definition }) => writtenOut(definition) === text)

const ExampleButton = ({
  of: { name, about, definition },
  draft,
}: {
  readonly of: ContractExample
  readonly draft: Draft
}) => {
  const use = (): void => draft.replace(writtenOut(definition))
  return isGiven(draft.text) ? (
    <button type="button" class="small" title={about} onClick={use}>
      {name}
    </button>
  ) : (
    <ConfirmButton label={name} ask="What is typed here is replaced; it can be taken back once." onConfirm={use} />
  )
}

const Begin = ({ draft, judged }: { readonly draft: Draft; readonly judged: JudgedText | undefined }) => {
  const { contract, earlier = false } = judged ?? {}
  const format = (): void => draft.replace(writtenOut(JSON.parse(draft.text) as object))
  return (
    <div class="actions">
      <span class="about">Begin with:</span>
      {examples.map((it) => (
        <ExampleButton key={it.name} of={it} draft={draft} />
      ))}
      <button
        type="button"
        class="small"
        disabled={judged?.text !== draft.text || judged.model === undefined}
        onClick={format}
      >
        Format
      </button>
      <OpenFile onDefinition={(definition) => draft.replace(writtenOut(definition))} />
      {earlier && contract !== undefined && (
        <button type="button" class="small" onClick={() => draft.replace(writtenOut(contract.definition))}>
          Write it in the present shape
        </button>
      )}
      {draft.back !== undefined && (
        <button type="button" class="small" onClick={draft.back}>
          Take back
        </button>
      )}
    </div>
  )
}

const Version = ({ judged }: { readonly judged: JudgedText | undefined }) => {
  if (judged?.contract === undefined) return null
  const { definition, version } = judged.contract
  const { name, states, transitions } = definition
  return (
    <dl class="facts" data-version={version}>
      <FactBox name="name">{name}</FactBox>
      <FactBox name="states">{Object.keys(states).length}</FactBox>
      <FactBox name="transitions">{transitions.length}</FactBox>
      <FactBox name="version">
        <Short text={version} />
      </FactBox>
    </dl>
  )
}

const firstOf = (contract: ShownContract | undefined): string =>
  contract === undefined ? FIRST : writtenOut(contract.definition as object)

interface OpenProps {
  readonly session: PageSession
  /** Machine that it goes to, where the address names one. */
  readonly slug: string
  /** The contract that it changes. */
  readonly contract: ShownContract | undefined
}

const Open = ({ session, slug, contract }: OpenProps) => {
  const draft = useDraft(contract === undefined ? '' : `${slug}/${contract.id}`, firstOf(contract))
  const { judged, problem } = useJudged(draft.text)
  const code = useRef<CodeHandle>(null)
  // The last picture stays while a text is no JSON.
  const [model, draw] = useState<JudgedText['model']>()
  useEffect(() => {
    if (judged?.model !== undefined || judged?.text.trim() === '') draw(judged.model)
  }, [judged])
  const fresh = judged?.text === draft.text ? judged.contract : undefined
  const looking = useLook(judged?.contract)
  const [rows, happen] = useState<readonly TypedHappening[]>([])
  const [step, show] = useState<ShownStep>()
  const lines = useMemo(() => judged?.lines ?? new Map<string, JsonSpan>(), [judged])
  const go = (path: string): void => {
    const [from] = [...lines.keys()]
      .filter((it) => path === it || path.startsWith(`${it}/`))
      .toSorted((a, b) => b.length - a.length)
    const span = from === undefined ? undefined : lines.get(from)
    if (span !== undefined) code.current?.go({ from: span.from, to: span.from + 1 })
  }
  return (
    <article class="contracts">
      <p class="crumb">
        <a href="#contracts">Contracts</a>
      </p>
      <h2>Contract editor</h2>
      <p class="lead">
        A contract says in JSON what shall happen by itself. What is wrong with it shows while you type, and nothing of
        it leaves this browser before you deploy it.
      </p>
      <div class="split">
        <section class="card" aria-label="Definition">
          <h3>Definition</h3>
          <Begin draft={draft} judged={judged} />
          <CodeArea
            id="contract-text"
            label="Definition as JSON"
            text={draft.text}
            judged={judged}
            handle={code}
            onText={draft.type}
            describedBy={FAULTS_ID}
          />
          <FaultList id={FAULTS_ID} judged={judged} problem={problem} onGo={(span) => code.current?.go(span)} />
          <Version judged={judged} />
        </section>
        <section class="card" aria-label="States">
          <h3>States</h3>
          {model === undefined ? (
            <p class="about">There is no state yet.</p>
          ) : (
            <Diagram model={model} present={step?.state} taken={step?.steps} onGo={go} />
          )}
        </section>
      </div>
      <Checks looking={looking} version={fresh?.version} onGo={go} onPlay={(finding) => happen(rowsOfTrace(finding))} />
      <SimulationCard contract={fresh} rows={rows} onRows={happen} onShow={show} />
      <NextFires looking={looking} version={fresh?.version} />
      <Cost looking={looking} version={fresh?.version} />
      {contract === undefined ? (
        <Deploy key={slug} session={session} slug={slug} definition={fresh?.definition} />
      ) : (
        <DeployChange session={session} contract={contract} definition={fresh?.definition} />
      )}
    </article>
  )
}

interface Props {
  readonly session: PageSession
  readonly query: Query
}

/** The same for a contract that stands, once that is read. */
const Changing = ({ session, slug, id }: { readonly session: PageSession } & Which) => {
  const { value, problem } = useReading((signal) => readContract(session, { slug, id }, signal), {
    on: [session, slug, id],
  })
  if (problem !== undefined) return <ProblemCard problem={problem} />
  if (value === undefined) return <p class="card about">reading …</p>
  return <Open session={session} slug={slug} contract={value} />
}

/** Writes a contract: what is wrong with it, what it looks like and what it would do, while it is typed. */
export const EditorView = ({ session, query: { slug = '', id = '' } }: Props) =>
  id === '' ? (
    <Open session={session} slug={slug} contract={undefined} />
  ) : (
    <Changing key={`${slug}/${id}`} session={session} slug={slug} id={id} />
  )
