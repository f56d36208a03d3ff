import { useEffect, useMemo, useState } from 'preact/hooks'
import { PlotList } from '#ui/plot/plot-list.tsx'
import { usePlots } from '#ui/plot/use-plots.ts'
import { fetchEvidence } from '#ui/receipt/evidence.ts'
import type { JobAnswer } from '#ui/server/answer.ts'
import type { PageSession } from '#ui/session.ts'
import { figure } from '#ui/text/numbers.ts'
import { type Reactor, type ReactorStep, solverOf } from './reactor.ts'
import type { TakenStep } from './use-stepping.ts'

/** What a bundle has of its computation. */
interface Computed {
  readonly inputs?: object
  readonly result?: { readonly output: object }
}

/** What the newest sealed step computed, as its bundle has it; the one before stays until the next is there. */
const useSealed = (session: PageSession, { step, token_id: token }: ReactorStep) => {
  const [found, show] = useState<TakenStep>()
  const [problem, complain] = useState<string>()
  useEffect(() => {
    if (token === null) return
    const over = new AbortController()
    const read = async (): Promise<void> => {
      const bundle = await fetchEvidence(session, { token }, over.signal)
      const { inputs, result } = JSON.parse(await bundle.text()) as Computed
      if (over.signal.aborted || inputs === undefined || result === undefined) return
      show({ step, input: inputs, answer: result.output as JobAnswer })
      complain(undefined)
    }
    read().catch((error: Error) => over.signal.aborted || complain(error.message))
    return () => over.abort()
  }, [session, token])
  return { found, problem }
}

interface Props {
  readonly session: PageSession
  readonly reactor: Reactor
  readonly row: ReactorStep
  /** The newest step that was taken from here. */
  readonly taken: TakenStep | undefined
}

const Drawn = ({ reactor, row, of }: Pick<Props, 'reactor' | 'row'> & { readonly of: TakenStep }) => {
  const name = solverOf(reactor)
  const plots = usePlots(name, of.input, of.answer)
  const titled = useMemo(() => plots.map((it) => ({ ...it, title: `Step ${of.step}: ${it.title}` })), [plots])
  const note = `reactor ${reactor.id}, step ${of.step}, errors so far ${figure(row.errorSum)} %`
  return <PlotList plots={titled} source={{ title: name, note, stem: [name, reactor.id, String(of.step)] }} />
}

/** The plots that the solver has of the newest step. */
export const StatePlots = ({ session, reactor, row, taken }: Props) => {
  const { found, problem } = useSealed(session, row)
  const newest = taken !== undefined && (found === undefined || taken.step > found.step) ? taken : found
  if (row.step === 0) return <p class="about">No step is taken yet.</p>
  if (newest !== undefined) return <Drawn reactor={reactor} row={row} of={newest} />
  if (row.token_id !== null) return <p class="about">{problem ?? 'reading …'}</p>
  return <p class="about">This step was not sealed, and not taken here: nobody keeps what it could be drawn from.</p>
}
