import { toHex } from '#core/bytes.ts'
import { RATE_DEFAULT, RATE_ONE } from '#core/work/audit.ts'
import { SAMPLES_DEFAULT, sampleIndices } from '#core/work/samples.ts'
import type { Chance } from './chance.ts'
import { provable } from './judge.ts'
import { isHonest, strategies } from './party.ts'
import { isWrong, type SimWork, type World, whenOf } from './world.ts'

/** What a simulation measured, to be printed and held against goals. */
export interface Measured {
  readonly wrong: readonly WrongRow[]
  readonly honestBondsLost: number
  readonly provable: number
  readonly proven: number
  readonly verification: Readonly<Record<'steps' | 'whole' | 'all', number>>
  readonly verdictTicks: { readonly p50: number; readonly p99: number; readonly count: number }
}

interface WrongRow {
  readonly strategy: string
  readonly kind: 'steps' | 'whole'
  readonly made: number
  /** Taken by an honest requester. */
  readonly accepted: number
  readonly challenged: number
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const wrongRows = ({ works, challenges }: World): readonly WrongRow[] => {
  const challenged = new Set([...challenges.values()].filter(({ isTrue }) => isTrue).map(({ work }) => work))
  // Works that only fill a bond are no results: they have no run behind them.
  const wrong = [...works.values()].filter((it) => it.index === 0 && isWrong(it) && isHonest(it.requester))
  return strategies.flatMap((strategy) =>
    (['steps', 'whole'] as const).flatMap((kind): WrongRow[] => {
      const made = wrong.filter((it) => it.worker.strategy === strategy && it.job.k > 0 === (kind === 'steps'))
      if (made.length === 0) return []
      const accepted = made.filter((it) => it.accepted).length
      return [
        { strategy, kind, made: made.length, accepted, challenged: made.filter((it) => challenged.has(it)).length },
      ]
    }),
  )
}

/** Ticks from a challenge to the first ruling about it, where there was one. */
const verdictTicks = (world: World): readonly number[] => {
  const { now } = world.agenda
  return [...world.challenges.values()]
    .flatMap(({ told, work }) => {
      const opened = whenOf(told, now)
      const rulings = work.said
        .filter(({ event, named }) => event.type === 'ruling' && named.includes(told))
        .flatMap((it) => {
          const when = whenOf(it, now)
          return when === 'pending' ? [] : [when.at]
        })
      return opened === 'pending' || rulings.length === 0 ? [] : [Math.min(...rulings) - opened.at]
    })
    .sort((a, b) => a - b)
}

/** Bonds of nodes that never did anything wrong and that an honest home took. */
const lostBonds = ({ homes, bonds, works }: World): number =>
  [...bonds.values()].filter(({ bond, owner }) => {
    const wrong = [...works.values()].some((it) => it.worker === owner && isWrong(it))
    return !wrong && homes.some((home) => isHonest(home.party) && home.withheld.has(bond.bond))
  }).length

const isProven = ({ bond }: SimWork): boolean =>
  bond.homes.every(({ home }) => !isHonest(home.party) || home.withheld.has(bond.bond.bond))

/** Measures a world that came to its end. */
export const measure = (world: World): Measured => {
  const share = (...kinds: readonly ('steps' | 'whole')[]): number => {
    const all = kinds.map((kind) => world.costs[kind])
    const execution = all.reduce((sum, it) => sum + it.execution, 0)
    return all.reduce((sum, it) => sum + it.samples + it.audits + it.checks, 0) / Math.max(1, execution)
  }
  const ticks = verdictTicks(world)
  const works = provable(world)
  return {
    wrong: wrongRows(world),
    honestBondsLost: lostBonds(world),
    provable: works.length,
    proven: works.filter(isProven).length,
    verification: { steps: share('steps'), whole: share('whole'), all: share('steps', 'whole') },
    verdictTicks: { p50: quantile(ticks, 0.5), p99: quantile(ticks, 0.99), count: ticks.length },
  }
}

/** Share of works that pass their samples although five segments in six were skipped, by real draws. */
export const passedSkipping = (chance: Chance, draws: number, k: number): number => {
  let passed = 0
  for (let i = 0; i < draws; i++) {
    const done = new Set(
      chance.some(
        Array.from({ length: k }, (_, at) => at),
        Math.floor(k / 6),
      ),
    )
    const drawn = sampleIndices(toHex(chance.bytes(32)), toHex(chance.bytes(32)), { m: SAMPLES_DEFAULT, k })
    if (drawn.every((at) => done.has(at))) passed += 1
  }
  return passed / draws
}

/** For a bond worth so many jobs: the audit rate from which a worker that makes results up expects to lose. */
export const deterring = (jobs: number): number => 1 / (1 + jobs)

/** Bonds, in jobs, for which that rate is said. */
export const BOND_JOBS = [1, 10, 100, 1_000]

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`

/** The tables of a run as text. */
export const tables = (measured: Measured, passed: number): string => {
  const rows = measured.wrong.map(({ strategy, kind, made, accepted, challenged }) =>
    [
      strategy.padEnd(10),
      kind.padEnd(6),
      String(made).padStart(6),
      String(accepted).padStart(9),
      String(challenged).padStart(11),
    ].join(' '),
  )
  const { verification, verdictTicks: ticks } = measured
  const rates = BOND_JOBS.map((jobs) => `${String(jobs).padStart(6)} jobs  ${percent(deterring(jobs)).padStart(8)}`)
  return [
    'Wrong results that honest requesters were given',
    'strategy   kind     made  accepted  challenged',
    ...rows,
    '',
    `honest bonds lost                       ${measured.honestBondsLost}`,
    `true challenges under a bond, proven    ${measured.proven} of ${measured.provable}`,
    `verification ÷ execution            steps ${percent(verification.steps)}, whole ${percent(verification.whole)}`,
    `                                        all ${percent(verification.all)}`,
    `ticks to the first ruling               p50 ${ticks.p50}, p99 ${ticks.p99} (${ticks.count} disputes)`,
    `passed after skipping 5 in 6 segments   ${passed.toExponential(1)} (m = ${SAMPLES_DEFAULT})`,
    '',
    'Audit rate from which making results up loses, by what the bond is worth; the default is ' +
      `${percent(RATE_DEFAULT / RATE_ONE)}`,
    ...rates,
    'In an open mesh there is none: everybody mints, and a new bond costs a second of processor time.',
  ].join('\n')
}
