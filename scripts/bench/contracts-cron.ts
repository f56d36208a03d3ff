import { cpuUsage } from 'node:process'
import { Cron as Croner } from 'croner'
import { spanAround, zoneTable } from '#node/zones.ts'
import { nextDue, readCron, zoneOf } from '#numerics/contracts/cron/cron.ts'
import { bench, median, wholeOr } from './bench.ts'

const PATTERNS = ['*/5 * * * *', '0,30 2 * * *', '0 9 * * MON-FRI', '15 6 1 * *', '0 0 29 2 *']
const ZONES = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York']
/** 27 November 2026, at noon. */
const NOW = 1_795_780_800
const ROUNDS = 5
/** Due instants of one turn; croner takes some hundred times as long for each. */
const [OURS, THEIRS] = [20_000, 100]

/** Microseconds of the processor for each of so many steps. */
const paceOf = (count: number, step: () => void): number => {
  const before = cpuUsage()
  for (let i = 0; i < count; i++) step()
  const { user, system } = cpuUsage(before)
  return (user + system) / count
}

const measured = (pattern: string, name: string) => {
  const table = zoneTable(name, spanAround(NOW))
  const { cron } = readCron(pattern)
  if (table === undefined || cron === undefined) throw new Error(`${pattern} in ${name} is not known here`)
  const zone = zoneOf(table)
  const croner = new Croner(pattern, { timezone: name, mode: '5-part', paused: true })
  let [ours, theirs] = [NOW, new Date(NOW * 1_000)]
  const next = (): void => {
    ours = nextDue(cron, zone, ours) ?? NOW
  }
  const theirNext = (): void => {
    theirs = croner.nextRun(theirs) ?? new Date(NOW * 1_000)
  }
  const rounds = Array.from({ length: ROUNDS + 1 }, () => [paceOf(OURS, next), paceOf(THEIRS, theirNext)] as const)
  // The first round is the engine's, who compiles.
  const [our, their] = [0, 1].map((i) => median(rounds.slice(1).map((it) => it[i] ?? Number.NaN)))
  return { our: our ?? Number.NaN, their: their ?? Number.NaN }
}

export const contractsCron = bench({
  name: 'contracts-cron',
  summary: 'Time of a next due instant ÷ that of croner, by pattern and zone, in one run.',
  async run([word]) {
    const zones = ZONES.slice(0, wholeOr(word, ZONES.length))
    console.log('pattern          zone                 us      croner us  ratio')
    const ratios = PATTERNS.flatMap((pattern) =>
      zones.map((zone) => {
        const { our, their } = measured(pattern, zone)
        const columns = [pattern.padEnd(16), zone.padEnd(20), our.toFixed(3).padEnd(7), their.toFixed(1).padEnd(10)]
        console.log(`${columns.join(' ')} ${(our / their).toFixed(4)}`)
        return our / their
      }),
    )
    console.log(`ratio: median ${median(ratios).toFixed(4)}, worst ${Math.max(...ratios).toFixed(4)}`)
  },
})
