import { FieldPlot } from './field-plot.tsx'
import { LinePlot } from './line-plot.tsx'
import { PathsPlot } from './paths-plot.tsx'
import type { Plot } from './plots.ts'

const views = { field: FieldPlot, line: LinePlot, paths: PathsPlot } as const

/** The plots of an answer, one below the other. */
export const Plots = ({ plots }: { readonly plots: readonly Plot[] }) => (
  <>
    {plots.map(({ kind, series }) => {
      const View = views[kind]
      return <View key={series.name} series={series} />
    })}
  </>
)
