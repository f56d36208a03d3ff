import { useMemo, useState } from 'preact/hooks'
import type { Session } from '#ui/session.ts'
import { unitText } from '#ui/text/numbers.ts'
import { JobProgress } from './job-progress.tsx'
import { RunActions } from './run-actions.tsx'
import type { OperatorDetail } from './use-operators.ts'
import { useQuote } from './use-quote.ts'
import type { Running } from './use-run.ts'

type Inputs = Readonly<Record<string, string | number>>

/** A number as one; anything else, such as `5 km`, as it was typed. */
const readInput = (text: string): string | number => (Number.isFinite(Number(text)) ? Number(text) : text)

interface Filled {
  readonly texts: Readonly<Record<string, string>>
  readonly inputs: Inputs
  /** Variables that are left empty: the one that is asked for. */
  readonly empty: number
}

const filledOf = ({ variables, example }: OperatorDetail, typed: Readonly<Record<string, string>>): Filled => {
  const symbols = Object.keys(variables)
  const textOf = (symbol: string): string => (typed[symbol] ?? String(example?.inputs[symbol] ?? '')).trim()
  const given = symbols.filter((symbol) => textOf(symbol) !== '')
  return {
    texts: Object.fromEntries(symbols.map((symbol) => [symbol, typed[symbol] ?? textOf(symbol)])),
    inputs: Object.fromEntries(given.map((symbol) => [symbol, readInput(textOf(symbol))])),
    empty: symbols.length - given.length,
  }
}

interface Props {
  readonly detail: OperatorDetail
  readonly session: Session
  readonly run: Running
  readonly path: string
  readonly shown: boolean
  readonly up: boolean
}

/** Inputs of one relation, filled with its worked example; what is left empty is what is asked for. */
export const OperatorForm = ({ detail, session, run, path, shown, up }: Props) => {
  const [typed, type] = useState<Readonly<Record<string, string>>>({})
  const { texts, inputs, empty } = useMemo(() => filledOf(detail, typed), [detail, typed])
  const order = useMemo(() => ({ operators: [detail.id], inputs }), [detail, inputs])
  // Half an order would be refused for what is not typed yet.
  const quoted = useQuote(session, path, shown && empty === 1 ? order : undefined)
  const submit = (event: Event): void => {
    event.preventDefault()
    run.start(order)
  }
  return (
    <form class="card" onSubmit={submit} noValidate>
      <p class="equation">{detail.equation}</p>
      <p class="about">{detail.source}</p>
      <div class="form-grid">
        {Object.entries(detail.variables).map(([symbol, { name, unit }]) => (
          <div class="form-row" key={symbol} data-field={symbol}>
            <div class="form-head">
              <label for={`operator-${symbol}`}>
                {symbol} <span class="unit">{unitText(unit)}</span>
              </label>
            </div>
            <input
              id={`operator-${symbol}`}
              type="text"
              autocomplete="off"
              placeholder="wanted"
              aria-describedby={`operator-${symbol}-about`}
              value={texts[symbol] ?? ''}
              onInput={(event) => {
                const text = event.currentTarget.value
                type((old) => ({ ...old, [symbol]: text }))
              }}
            />
            <p class="about" id={`operator-${symbol}-about`}>
              {name}
            </p>
          </div>
        ))}
      </div>
      <RunActions run={run} sound quoted={quoted} onReset={() => type({})} />
      <p class="about">Leave one empty: that one is computed. A value may carry its unit, e.g. 5 km.</p>
      {run.busy && <JobProgress job={run.job} up={up} />}
    </form>
  )
}
