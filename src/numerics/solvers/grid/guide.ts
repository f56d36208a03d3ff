import type { Guide } from '#numerics/runtime/guide.ts'
import { caseOf } from './ieee.ts'
import type { GridInput, GridOutput } from './schema.ts'

const bus = (load: number, generation: number) => ({ load, generation, slack: false })
const line = (from: number, to: number, x: number) => ({ from, to, x, tap: 1, shift: 0 })

/** The 14-bus case as an own grid, without the line between two of its buses. */
const without = (one: number, other: number) => {
  const { load, generation, slack, lines } = caseOf('ieee14')
  return {
    buses: Array.from(load, (it, i) => ({ ...bus(it, generation[i] as number), slack: i + 1 === slack })),
    lines: lines.filter(({ from, to }) => from !== one || to !== other).map((it) => ({ ...it, shift: 0 })),
  }
}

/** Power grids to begin with, and what is read off first. */
export const gridGuide: Guide<GridInput, GridOutput> = {
  presets: [
    {
      name: 'IEEE 14-bus case',
      about:
        'A piece of the American Midwest of 1962: line 1–2 carries 148 of the 219 MW that bus 1 puts in. ' +
        'University of Washington test case archive.',
      input: {},
    },
    {
      name: 'IEEE 14-bus with line 1–2 out',
      about:
        'The same grid without its strongest line: all 219 MW leave bus 1 by line 1–5, and the angle of bus 5 ' +
        'falls behind.',
      input: { case: 'own', ...without(1, 2) },
    },
    {
      name: 'IEEE 30-bus, each line out in turn',
      about:
        'The N − 1 question of every control room: which outage loads which line most, and which lines cut the ' +
        'grid in two.',
      input: { case: 'ieee30', contingencies: true },
    },
    {
      name: 'IEEE 118-bus, 10 % more load',
      about:
        'The case of 118 buses with everything a tenth higher: in a linear model every flow grows by a tenth as ' +
        'well.',
      input: { case: 'ieee118', scale: 1.1 },
    },
    {
      name: 'Three buses by hand',
      about:
        'Wood and Wollenberg’s example: 65 MW at bus 1 and 100 MW of load at bus 2 give 60, 5 and 40 MW, which ' +
        'one can do on paper.',
      input: {
        case: 'own',
        buses: [bus(0, 65), bus(100, 0), { ...bus(0, 0), slack: true }],
        lines: [line(1, 2, 0.2), line(1, 3, 0.4), line(3, 2, 0.25)],
      },
    },
  ],
  headline: [
    { member: 'largestFlow', label: 'Largest flow' },
    { member: 'largestLine', label: 'on line' },
    { member: 'slackInjection', label: 'Power of the slack bus' },
    { member: 'load', label: 'Load in all' },
  ],
  advanced: ['baseMva'],
}
