import type { ResultOf } from '#api/result-of.ts'
import type { Command } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { table } from '#cli/io.ts'

type Found = ResultOf<'compute.operator-find'>
type Way = Found['operators'][number]

const missingText = ({ missing }: Way): string =>
  missing.length === 0
    ? 'all known'
    : `missing: ${missing.map((it) => `${it.write} (${it.name}, ${it.unit})`).join(', ')}`

const wayRow = (way: Way): readonly string[] => [
  way.operators.join(' → '),
  way.solve_for,
  way.links.map((it) => it.name).join(' → '),
  missingText(way),
]

const part = (title: string, ways: readonly Way[], count: number): readonly string[] =>
  ways.length === 0 ? [] : [`${title} (${ways.length} of ${count}):`, table(ways.map(wayRow)), '']

const callFor = (way: Way): string => {
  const inputs = [...way.given, ...way.missing].map((it) => `${it.write}=…`)
  return `tickmesh compute ${way.operators.join(',')} ${inputs.join(' ')} --solve-for ${way.solve_for}`
}

const foundText = (found: Found): string => {
  const [first] = [...found.operators, ...found.chains]
  if (first === undefined) return 'no operator gives this from these'
  const lines = [
    ...part('operators', found.operators, found.count),
    ...part('chains of two', found.chains, found.chain_count),
    `the first as a call: ${callFor(first)}`,
  ]
  return lines.join('\n')
}

/** `tickmesh operators find`: what gives a quantity from others. */
export const operatorsFind: Command = endpointCommand({
  path: 'operators find',
  endpoint: 'compute.operator-find',
  summary: 'Find operators, and chains of two, that give a quantity from known ones.',
  text: foundText,
  examples: [
    'tickmesh operators find --wanted pressure --known volume,temperature,amount',
    'tickmesh operators find --wanted "P [W]" --known "V [V],R" --limit 3 --json',
  ],
})
