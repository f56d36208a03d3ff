import { useEffect, useState } from 'preact/hooks'
import { figure } from '#ui/plot/numbers.ts'
import { Receipt } from '#ui/receipt/receipt.tsx'
import { send } from '#ui/server/api.ts'
import { runJob } from '#ui/server/jobs.ts'
import type { Answer } from '#ui/server/shapes.ts'
import type { Session } from '#ui/session.ts'

interface OperatorRow {
  readonly id: string
  readonly name: string
  readonly equation: string
  readonly source: string
  readonly refused: { readonly reason?: string } | null
}

interface OperatorDetail extends OperatorRow {
  readonly variables: Readonly<Record<string, { readonly name: string; readonly unit: string }>>
  readonly example: { readonly inputs: Readonly<Record<string, number>>; readonly output: string } | null
}

const useOperators = (): readonly OperatorRow[] => {
  const [rows, show] = useState<readonly OperatorRow[]>([])
  useEffect(() => {
    void send<{ operators: readonly OperatorRow[] }>('/api/operators?limit=500').then((it) => show(it.operators))
  }, [])
  return rows
}

const useDetail = (id: string | undefined): OperatorDetail | undefined => {
  const [detail, show] = useState<OperatorDetail>()
  useEffect(() => {
    show(undefined)
    if (id !== undefined) void send<OperatorDetail>(`/api/operators/${encodeURIComponent(id)}`).then(show)
  }, [id])
  return detail
}

interface FormProps {
  readonly detail: OperatorDetail
  readonly onCompute: (inputs: Readonly<Record<string, string | number>>) => void
}

/** Inputs of one operator, filled with its worked example; what is left empty is what is asked for. */
const OperatorForm = ({ detail, onCompute }: FormProps) => {
  const example = detail.example?.inputs ?? {}
  const [typed, type] = useState<Readonly<Record<string, string>>>({})
  const textOf = (symbol: string): string =>
    typed[symbol] ?? (example[symbol] === undefined ? '' : String(example[symbol]))
  const submit = (event: Event): void => {
    event.preventDefault()
    const given = Object.keys(detail.variables).filter((symbol) => textOf(symbol).trim() !== '')
    onCompute(
      Object.fromEntries(
        given.map((symbol) => {
          const text = textOf(symbol).trim()
          return [symbol, Number.isFinite(Number(text)) ? Number(text) : text]
        }),
      ),
    )
  }
  return (
    <form class="card" onSubmit={submit}>
      <p class="equation">{detail.equation}</p>
      <p class="about">{detail.source}</p>
      <div class="form-grid">
        {Object.entries(detail.variables).map(([symbol, { name, unit }]) => (
          <div class="form-row" key={symbol}>
            <label for={`operator-${symbol}`}>
              {symbol} <span class="unit">{unit}</span>
            </label>
            <input
              id={`operator-${symbol}`}
              type="text"
              autocomplete="off"
              placeholder="wanted"
              value={textOf(symbol)}
              onInput={(event) => {
                const text = event.currentTarget.value
                type((old) => ({ ...old, [symbol]: text }))
              }}
            />
            <p class="about">{name}</p>
          </div>
        ))}
      </div>
      <div class="actions">
        <button type="submit" class="primary">
          Compute
        </button>
        <span class="about">Leave one empty: that one is computed. A value may carry its unit, e.g. 5 km.</span>
      </div>
    </form>
  )
}

/** The relations of the registry: choose one, give its inputs, get a sealed value. */
export const OperatorsView = ({ session }: { readonly session: Session }) => {
  const rows = useOperators()
  const [id, choose] = useState<string>()
  const detail = useDetail(id)
  const [answer, show] = useState<Answer>()
  const [problem, complain] = useState<string>()
  const { credential } = session.self
  const compute = async (inputs: Readonly<Record<string, string | number>>): Promise<void> => {
    show(undefined)
    complain(undefined)
    const signal = new AbortController().signal
    try {
      const input = { operators: [detail?.id], inputs }
      show(await runJob({ path: '/api/svc/compute', input, credential, signal, tell: () => undefined }))
      session.minted()
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <article>
      <h2>Operators</h2>
      <label for="operator">Relation</label>
      <select id="operator" value={id ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="" disabled>
          choose one of {rows.length}
        </option>
        {rows.map((it) => (
          <option key={it.id} value={it.id}>
            {it.id} {it.name}
            {it.refused === null ? '' : ' (states a relation, has no value)'}
          </option>
        ))}
      </select>
      {detail !== undefined && detail.refused !== null && (
        <p class="card about">{detail.refused.reason ?? detail.equation}</p>
      )}
      {detail !== undefined && detail.refused === null && (
        <OperatorForm key={detail.id} detail={detail} onCompute={(inputs) => void compute(inputs)} />
      )}
      {problem !== undefined && (
        <p class="card wrong" role="alert">
          {problem}
        </p>
      )}
      {answer !== undefined && (
        <>
          <p class="card value" data-value={String(answer.value)}>
            {figure(answer.value ?? Number.NaN)} {answer.unit}
          </p>
          {answer.envelope !== null && (
            <Receipt
              envelope={answer.envelope}
              value={answer}
              check={answer.check}
              credential={credential}
              trusted={session.vkey}
            />
          )}
        </>
      )}
    </article>
  )
}
