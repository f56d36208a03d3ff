import { useId, useMemo, useState } from 'preact/hooks'
import { queryOf } from '#ui/form/address.ts'
import { goToField } from '#ui/form/go-to-field.ts'
import { Remedies } from '#ui/form/remedies.tsx'
import { formOf, inputOf, keyOf, type Typed, typedOf } from '#ui/form/schema.ts'
import { SchemaForm } from '#ui/form/schema-form.tsx'
import { OperatorLinks } from '#ui/operators/operator-links.tsx'
import { StartReactor } from '#ui/reactor/start-form.tsx'
import { useLink } from '#ui/server/link.ts'
import { useReading } from '#ui/server/reading.ts'
import { readSolver, type ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { Command } from './command.tsx'
import { CreditAdvice } from './credit-advice.tsx'
import { Presets, type ShownPreset } from './presets.tsx'
import { type Changes, ProblemCard, type Units } from './problem-card.tsx'
import { Refusal } from './refusal.tsx'
import { refusedFields } from './refused-fields.ts'
import { RunActions } from './run-actions.tsx'
import { ShareInputs } from './share-inputs.tsx'
import { SolverResult } from './solver-result.tsx'
import { isSameInput, refusalOf } from './standing.ts'
import type { SweepTerms } from './sweep-inputs.ts'
import { Textbook } from './textbook.tsx'
import { useEscape } from './use-escape.ts'
import { useInputs } from './use-inputs.ts'
import { useQuote } from './use-quote.ts'
import { useRun } from './use-run.ts'
import { Vary } from './vary.tsx'
import { rangedIn, VaryOffer } from './vary-offer.tsx'

interface Props {
  readonly solver: ShownSolver
  readonly session: PageSession
  /** Whether it is the view that is seen. */
  readonly shown: boolean
}

const withChanges = (typed: Typed, changes: Changes): Typed => ({
  ...typed,
  ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, String(value)])),
})

const Unknown = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0 ? null : (
    <p class="about wrong" role="status">
      The address names what this solver does not take: {names.join(', ')}.
    </p>
  )

/** A form, what it stands for, and its runs. */
const useSolving = ({ solver, session, shown }: Props) => {
  const path = `/api/svc/${solver.name}`
  const form = useMemo(() => formOf(solver.input, solver.guide.advanced), [solver])
  const inputs = useInputs(form, `solver/${solver.name}`, shown)
  const { fields, typed, type, keep, input, sound } = inputs
  const quoted = useQuote(session, path, sound && shown ? input : undefined)
  const run = useRun(session, path)
  useEscape(run.cancel, shown && run.busy)
  const start = (from: object): void => {
    if (run.busy) return
    keep()
    run.start(from)
  }
  /** Another place of the history: back leads to what stood there before. */
  const fill = (next: Typed): object => {
    keep()
    type(() => next)
    return inputOf(fields, next).input
  }
  const fillRun = (next: Typed): void => {
    if (run.busy) return
    const from = fill(next)
    keep(queryOf(fields, next))
    run.start(from)
  }
  const refused = refusalOf(run, input, quoted.problem)
  return {
    path,
    form,
    inputs,
    quoted,
    run,
    start,
    fill,
    fillRun,
    refused,
    use: (it: Changes) => withChanges(typed, it),
  }
}

const Loaded = (props: Props) => {
  const { solver, session } = props
  const { path, form, inputs, quoted, run, start, fill, fillRun, refused, use } = useSolving(props)
  const { fields, typed, type, input, problems, sound, query } = inputs
  const refusalId = useId()
  const up = useLink()
  const units = useMemo((): Units => Object.fromEntries(fields.map((it) => [keyOf(it), it.schema['x-unit']])), [fields])
  const keys = refused === undefined ? [] : refusedFields(refused.problem, Object.keys(units))
  const onType = (key: string, text: string): void => type((old) => ({ ...old, [key]: text }))
  const ranged = useMemo(() => rangedIn(fields, typed), [fields, typed])
  const rangedKey = ranged && keyOf(ranged.field)
  const others = Object.keys(problems).filter((it) => it !== rangedKey)
  const told = rangedKey === undefined ? problems : { ...problems, [rangedKey]: 'A range: it can be run, below.' }
  const [ordered, order] = useState(false)
  /** The form says the first of them, and the sweep beside it all. */
  const varyBy = (terms: SweepTerms): void => {
    onType(terms.key, terms.from)
    inputs.vary(terms)
    order(true)
  }
  const typedBy = (preset: ShownPreset): Typed => typedOf(fields, preset.input as object)
  const { presets } = solver.guide
  const chosen = presets.find((it) => isSameInput(inputOf(fields, typedBy(it)).input, input))?.name
  return (
    <>
      <Presets
        presets={presets}
        busy={run.busy}
        chosen={chosen}
        onFill={(preset) => void fill(typedBy(preset))}
        onRun={(preset) => fillRun(typedBy(preset))}
      />
      <form
        class="card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const [wrong] = Object.keys(problems)
          if (wrong === undefined) start(input)
          else goToField(event.currentTarget, wrong)
        }}
        onKeyDown={(event) => {
          // In a field of several lines Enter is a line.
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
      >
        <Unknown names={inputs.unknown} />
        <SchemaForm
          form={form}
          typed={typed}
          problems={told}
          refused={keys.length === 0 ? undefined : { keys, by: refusalId }}
          onType={onType}
        />
        <RunActions run={run} sound={sound} quoted={quoted} up={up} onReset={() => void fill({})}>
          <ShareInputs place={`solver/${solver.name}`} query={query} input={input} />
        </RunActions>
        {ranged !== undefined && (
          <VaryOffer {...{ ranged, session, path, fields, typed }} sound={others.length === 0} onVary={varyBy} />
        )}
        <Remedies fields={fields} typed={typed} problems={told} without={ranged} onType={onType} />
        {refused !== undefined && (
          <Refusal
            id={refusalId}
            {...refused}
            units={units}
            fields={keys}
            onUse={(changes) => type(() => use(changes))}
            onRun={(changes) => fillRun(use(changes))}
          >
            <CreditAdvice problem={refused.problem} session={session} onAgain={() => run.start(input)} />
          </Refusal>
        )}
        <Command path={path} input={input} />
      </form>
      {run.done !== undefined && (
        <SolverResult
          done={run.done}
          earlier={run.earlier}
          stale={run.busy || !isSameInput(run.done.input, input)}
          solver={solver}
          session={session}
        />
      )}
      <Vary
        {...{ solver, session, fields, typed, sound, ordered }}
        terms={inputs.sweep}
        onTerms={inputs.vary}
        onBegun={() => order(false)}
      />
      <StartReactor session={session} solver={solver} input={input} sound={sound} />
    </>
  )
}

/** One solver: its textbook, problems to begin with, its form, the run with its progress, the plots and the receipt. */
export const SolverView = ({ name, ...rest }: Omit<Props, 'solver'> & { readonly name: string }) => {
  const up = useLink()
  const { value: solver, problem } = useReading((signal) => readSolver(name, signal), {
    on: [name, up],
  })
  return (
    <article>
      <p class="crumb">
        <a href="#solvers">All solvers</a>
      </p>
      <h2>{solver?.title ?? name}</h2>
      {solver === undefined && problem !== undefined && <ProblemCard problem={problem} />}
      {solver !== undefined && (
        <>
          <p class="lead">
            {solver.summary}{' '}
            <span class="about">
              {solver.method}. Relations: <OperatorLinks ids={solver.operators} />
            </span>
          </p>
          <Textbook name={name} />
          <Loaded solver={solver} {...rest} />
        </>
      )}
    </article>
  )
}
