import { median } from '../bench.ts'
import type { Peer } from './frame.ts'
import type { Pairing, Standing } from './race.ts'

/** Ours ÷ theirs, in the paired runs. */
export interface Ratio {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** Ratios above which a target is missed: no solver slower than its peer, no kernel 1.5 × the same arithmetic in C. */
const TARGET: Readonly<Record<Peer['kind'], number>> = { peer: 1, c: 1.5 }
/** What the geometric mean over all is to reach. */
const MEAN_TARGET = 0.5

/** Run by run, so that a busy second falls on both sides of a ratio. */
export const ratioOf = ({ ms, ours }: Pairing): Ratio => {
  const ratios = ms.map((its, i) => (ours[i] ?? Number.NaN) / its)
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}

const geometric = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, it) => sum + Math.log(it), 0) / ratios.length)

const meanLine = (what: string, ratios: readonly number[], target = ''): readonly string[] =>
  ratios.length === 0 ? [] : [`  ${`${ratios.length} ${what}`.padEnd(38)} ${geometric(ratios).toFixed(3)}${target}`]

const listed = (heading: string, rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : [heading, ...rows.map((it) => `  ${it}`)]

/** `0.27 (0.25–0.31)`, or the one ratio there is. */
export const ratioText = ({ median: middle, least, most }: Ratio, runs: number): string =>
  runs > 1 ? `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})` : middle.toFixed(2)

/** What stands under the table: means, rows that miss their target, whoever was skipped or broke. */
export const summaryOf = (standings: readonly Standing[]): readonly string[] => {
  const rows = standings.flatMap((standing) =>
    standing.pairings.map((pairing) => ({ standing, pairing, ratio: ratioOf(pairing) })),
  )
  const of = (kind: Peer['kind']) =>
    rows.filter(({ pairing }) => pairing.kind === kind).map(({ ratio }) => ratio.median)
  const missed = rows.filter(({ pairing, ratio }) => ratio.median > TARGET[pairing.kind])
  const absences = (which: 'skipped' | 'failed') =>
    standings.flatMap((standing) => standing[which].map(({ name, why }) => `${standing.solver}, ${name}: ${why}`))
  const [peers, inC] = [of('peer'), of('c')]
  return [
    ...listed(
      'geometric means of ours ÷ theirs',
      [
        ...meanLine('peers', peers),
        ...meanLine('programs of the same arithmetic in C', inC),
        ...(peers.length > 0 && inC.length > 0
          ? meanLine('of both', [...peers, ...inC], ` (target ${MEAN_TARGET})`)
          : []),
      ].map((it) => it.trim()),
    ),
    ...(missed.length === 0 && rows.length > 0 ? ['no row misses its target'] : []),
    ...listed(
      `missed: slower than a peer, or more than ${TARGET.c} × the C`,
      missed.map(({ standing: { solver, problem }, pairing: { name, ms }, ratio }) =>
        [ratioText(ratio, ms.length), `${solver} beside ${name}: ${problem}`].join('  '),
      ),
    ),
    ...listed('skipped', absences('skipped')),
    ...listed('FAILED', absences('failed')),
  ]
}
