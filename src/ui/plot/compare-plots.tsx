import { useMemo } from 'preact/hooks'
import { figure, withUnit } from '#numerics/plot/figures.ts'
import type { PlotSource } from '#ui/export/export-actions.tsx'
import type { JobAnswer } from '#ui/server/answer.ts'
import { comparedPlots } from './differences.ts'
import { PlotList } from './plot-list.tsx'
import { usePlots } from './use-plots.ts'

/** One of two answers: what it was asked with, and what came. */
export interface ComparedAnswer {
  readonly input: object
  readonly answer: JobAnswer
}

interface Props {
  /** The solver of both. */
  readonly name: string
  readonly a: ComparedAnswer
  readonly b: ComparedAnswer
  readonly source: PlotSource
}

/** The plots of two answers of one solver: on the same axes, in the same colours, and what is between them. */
export const ComparePlots = ({ name, a, b, source }: Props) => {
  const [ofA, ofB] = [usePlots(name, a.input, a.answer), usePlots(name, b.input, b.answer)]
  const compared = useMemo(() => comparedPlots(ofA, ofB), [ofA, ofB])
  const none = compared.length === 0 && ofA.length > 0 && ofB.length > 0
  return (
    <>
      {none && (
        <p class="about">Their plots are of different kinds, a line and a field, and cannot be laid together.</p>
      )}
      {compared.map(({ title, unit, plots, distance, between }) => (
        <section key={title} aria-label={`Compared: ${title}`}>
          {distance !== undefined && (
            <p data-most={distance.most} data-rms={distance.rms}>
              {title}: A and B are at most {withUnit(figure(distance.most), unit)} apart, and{' '}
              {withUnit(figure(distance.rms), unit)} in the root mean square.
              {between && ' B has other places than A: it was read between its own.'}
            </p>
          )}
          <PlotList plots={plots} source={source} />
        </section>
      ))}
    </>
  )
}
