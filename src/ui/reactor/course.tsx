import { useMemo } from 'preact/hooks'
import type { CurvesPlot } from '#numerics/plot/plot.ts'
import { PlotList } from '#ui/plot/plot-list.tsx'
import { ERROR_PCT_BOUND, type Reactor, type ReactorStep, solverOf } from './reactor.ts'

const STEP_AXIS = { name: 'step', unit: '' } as const

/** Numbers over the steps, where a step has one. */
const curveOf = (name: string, rows: readonly ReactorStep[], at: (row: ReactorStep) => number | null | undefined) => {
  const there = rows.filter((it) => typeof at(it) === 'number')
  return { name, x: there.map((it) => it.step), y: there.map((it) => at(it) as number) }
}

/** The errors added up, against what they may come to where steps are sealed. */
const errorsOf = ({ seal, steps }: Reactor, rows: readonly ReactorStep[]): CurvesPlot => {
  const bound = { name: 'bound', x: [0, steps], y: [ERROR_PCT_BOUND, ERROR_PCT_BOUND], style: 'dashes' as const }
  const sum = curveOf('errors so far', rows, (it) => it.errorSum)
  return {
    kind: 'curves',
    title: 'Errors added up',
    x: STEP_AXIS,
    y: { name: 'error', unit: '%' },
    curves: seal ? [sum, bound] : [sum],
  }
}

const plotsOf = (reactor: Reactor, rows: readonly ReactorStep[]): readonly CurvesPlot[] => {
  const taken = rows.slice(1)
  const value = curveOf('value', taken, (it) => it.value)
  const names = Object.keys(taken[0]?.observed ?? {}).filter((it) => !['value', 'errorPct', 'errorSum'].includes(it))
  const observed = names.map((name) => ({ name, unit: '', curve: curveOf(name, taken, (it) => it.observed[name]) }))
  const named = [{ name: 'value', unit: reactor.unit, curve: value }, ...observed]
  return [
    ...named.flatMap(({ name, unit, curve }): readonly CurvesPlot[] =>
      curve.x.length < 2
        ? []
        : [{ kind: 'curves', title: `Course of ${name}`, x: STEP_AXIS, y: { name, unit }, curves: [curve] }],
    ),
    ...(taken.length === 0 ? [] : [errorsOf(reactor, rows)]),
  ]
}

/** How value, observed quantities and errors have gone, step by step. */
export const Course = ({ reactor, rows }: { readonly reactor: Reactor; readonly rows: readonly ReactorStep[] }) => {
  const plots = useMemo(() => plotsOf(reactor, rows), [reactor, rows])
  const name = solverOf(reactor)
  const stem = [name, reactor.id, `to-${reactor.step}`]
  return (
    <PlotList plots={plots} source={{ title: name, note: `reactor ${reactor.id}, to step ${reactor.step}`, stem }} />
  )
}
