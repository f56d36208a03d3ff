import type { ResultOf } from '#api/result-of.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { table } from './io.ts'

type Item = ResultOf<'network.proposals'>['proposals'][number]
type Whole = ResultOf<'network.proposal'>
type Stake = Whole['stakes'][number]

const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60
const HOURS_PER_DAY = 24

/** So many mesh ticks in words, to two units. */
export const ticksText = (ticks: number): string => {
  const minutes = Math.round((ticks * TICK_SECONDS) / SECONDS_PER_MINUTE)
  const hours = Math.floor(minutes / MINUTES_PER_HOUR)
  const days = Math.floor(hours / HOURS_PER_DAY)
  if (days > 0) return `${days} d ${hours % HOURS_PER_DAY} h`
  return hours > 0 ? `${hours} h ${minutes % MINUTES_PER_HOUR} min` : `${minutes} min`
}

/** When a vote ends or ended. */
export const closeText = ({ state, closes, closed }: Item, now: number): string => {
  if (closes === null) return 'not open'
  const apart = ticksText(Math.abs(closes - now))
  if (closed) return `over for ${apart}${state === 'voting' ? ', to be counted' : ''}`
  return `${apart} left`
}

/** What a vote comes to. */
export const tallyText = ({ tally: { yes, no, zids, passed, indicative, missing } }: Pick<Item, 'tally'>): string => {
  const verdict = passed ? 'passes' : `lacks ${missing.join(', ')}`
  const stakers = `${zids} ${zids === 1 ? 'staker' : 'stakers'}`
  return `yes ${yes}, no ${no}, ${stakers}: ${verdict}${indicative ? ' (indicative)' : ''}`
}

const stakeRow = ({ side, weight, count, zid, home, counting, why }: Stake): readonly string[] => [
  side,
  weight === null ? '…' : String(weight),
  `${count} envelopes`,
  zid,
  home,
  why === null ? counting : `${counting}: ${why}`,
]

/** A proposal in lines for a person. */
export const proposalText = (it: Whole): string => {
  const { measured, tally, stakes, stakes_total: total } = it
  const share = tally.last_ticks_share
  const lines = table([
    ['proposal', it.id],
    ['state', `${it.state}${it.settled ? ', settled' : ''}`],
    ['operator', `${it.operator}  ${it.name}`],
    ['equation', it.equation],
    ['source', it.source],
    ['author', it.author],
    ['cases', measured === null ? `${it.cases.length}, not computed here` : `${measured.length} met to 0.1 %`],
    ['vote', closeText(it, it.mesh_tick)],
    ['count', tallyText(it)],
    ['late', share === null ? 'no weight yet' : `${Math.round(100 * share)} % of the weight in the last 1,287 ticks`],
    ['root', tally.root],
    ...tally.homes.map(
      ({ home, yes, no, zids }) => ['from', `${home}: yes ${yes}, no ${no}, ${zids} stakers`] as const,
    ),
    ...(it.counts_here
      ? []
      : [['note', `it goes by the mesh policy ${it.policy}, and counts for nothing here`] as const]),
  ])
  if (total === 0) return lines
  return `${lines}\n\n${total} stakes\n${table(stakes.map(stakeRow))}`
}
