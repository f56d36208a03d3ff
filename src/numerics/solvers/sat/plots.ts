import type { Plot } from '#numerics/plot/plot.ts'
import type { SatOutput } from './schema.ts'

/** Places of the curve over the lemmas: means of as many stretches. */
const STRETCHES = 200

/** Mean length of the lemmas in equal stretches of the search. */
const coursePlot = ({ lemmaLengths }: SatOutput): Plot => {
  const count = lemmaLengths.length
  const stretches = Math.min(STRETCHES, count)
  const edge = (k: number): number => Math.floor((k * count) / stretches)
  const places = new Float64Array(stretches)
  const means = new Float64Array(stretches)
  for (let k = 0; k < stretches; k++) {
    let sum = 0
    for (let i = edge(k); i < edge(k + 1); i++) sum += lemmaLengths[i] as number
    places[k] = (edge(k) + edge(k + 1)) / 2
    means[k] = sum / (edge(k + 1) - edge(k))
  }
  return {
    kind: 'curves',
    title: 'Length of the learned clauses in the course of the search',
    x: { name: 'lemma', unit: '1' },
    y: { name: 'mean literals', unit: '1' },
    curves: [{ name: 'mean length', x: places, y: means }],
  }
}

/** How many lemmas have each length. */
const lengthsPlot = ({ lemmaLengths, longestLemma }: SatOutput): Plot => {
  const counts = new Float64Array(longestLemma + 1)
  for (let i = 0; i < lemmaLengths.length; i++) counts[lemmaLengths[i] as number] += 1
  return {
    kind: 'curves',
    title: 'Lengths of the learned clauses',
    x: { name: 'literals', unit: '1' },
    y: { name: 'lemmas', unit: '1' },
    curves: [{ name: 'lemmas', x: counts.map((_, length) => length), y: counts, style: 'stems' }],
  }
}

const bars = (title: string, about: string, labels: readonly string[], values: readonly number[]): Plot => ({
  kind: 'bars',
  title,
  name: 'clauses',
  unit: '1',
  about,
  labels,
  values,
})

/** Course and lengths of what was learned; how the clauses hold, or what the proof is made of. */
export const plotsOf = (output: SatOutput): readonly Plot[] => {
  const { satisfiable, trueLiterals, clauses, lemmas, units, deletions } = output
  const last = satisfiable
    ? bars('Clauses by their true literals', 'true literals', ['0', '1', '2', '3'], Array.from(trueLiterals))
    : bars(
        'What the proof is made of',
        'kind',
        ['original', 'learned', 'of one literal', 'deleted again'],
        [clauses, lemmas, units, deletions],
      )
  return lemmas > 0 ? [coursePlot(output), lengthsPlot(output), last] : [last]
}
