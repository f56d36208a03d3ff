import { useMemo } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { TICK_NS } from '#core/tick.ts'
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, secondsOf as secondsOfNs } from '#core/time.ts'
import type { BarsPlot, Plot } from '#numerics/plot/plot.ts'
import { Ago } from '#ui/part/ago.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { PlotList } from '#ui/plot/plot-list.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ticksText } from '#ui/text/ago.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { ChainRow } from './entry.ts'
import type { Machine } from './machine.ts'

/** Dear reads: an address has 120 of each a minute. */
const READ_EVERY_MS = 10_000
/** Entries whose growth is drawn, and bars of a plot. */
const GROWTH_ROWS = 200
const BARS_MAX = 20

interface Activity {
  readonly stats: ResultAt<'GET /api/chain/{slug}/stats'>
  readonly analytics: ResultAt<'GET /api/chain/{slug}/analytics'>
  readonly sources: ResultAt<'GET /api/chain/{slug}/sources'>
  readonly rows: readonly ChainRow[]
}

const barsOf = (about: string, counts: Readonly<Record<string, number>>): BarsPlot => {
  const entries = Object.entries(counts).slice(0, BARS_MAX)
  return {
    kind: 'bars',
    title: `Entries by ${about}`,
    name: 'entries',
    unit: '',
    about,
    labels: entries.map(([label]) => label),
    values: entries.map(([, value]) => value),
  }
}

const SECONDS_PER_TICK = secondsOfNs(TICK_NS)

/** Units of time that a span is drawn in, the longest first, in seconds. */
const TIME_UNITS = [
  ['d', SECONDS_PER_DAY],
  ['h', SECONDS_PER_HOUR],
  ['min', 60],
  ['s', 1],
] as const

/** How the chain grew, over the time since the first entry that is drawn. */
const growthOf = (rows: readonly ChainRow[]): readonly Plot[] => {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (first === undefined || last === undefined || first.tickNumber === last.tickNumber) return []
  const secondsOf = (it: ChainRow): number => (it.tickNumber - first.tickNumber) * SECONDS_PER_TICK
  const [unit, size] = TIME_UNITS.find(([, seconds]) => secondsOf(last) >= 2 * seconds) ?? ['s', 1]
  const values = rows.map(({ seq }) => seq + 1)
  const curve = { name: 'entries', x: rows.map((it) => secondsOf(it) / size), y: values }
  const axes = { x: { name: `time since entry ${first.seq}`, unit }, y: { name: 'entries', unit: '' } }
  return [{ kind: 'curves', title: 'Growth', ...axes, curves: [curve] }]
}

const Figures = ({ stats, analytics }: Activity) => (
  <dl class="facts">
    <FactBox name="entries">{stats.entries}</FactBox>
    <FactBox name={`in the last ${ticksText(stats.window_ticks)}`}>{stats.entries_in_window}</FactBox>
    <FactBox name="age">{ticksText(stats.age_ticks)}</FactBox>
    <FactBox name="moved">
      <Ago tick={stats.last_tick} />
    </FactBox>
    <FactBox name={`ticks that its newest ${analytics.window} entries are from`}>{analytics.ticks_moved}</FactBox>
  </dl>
)

/** How lively a machine is, what its entries are, and where they come from. */
export const ActivityTab = ({ session, machine }: { readonly session: PageSession; readonly machine: Machine }) => {
  const { slug } = machine
  const { value, problem } = useReading(
    async (signal): Promise<Activity> => {
      const [stats, analytics, sources] = await Promise.all([
        session.call('GET /api/chain/{slug}/stats', { slug }, { signal }),
        session.call('GET /api/chain/{slug}/analytics', { slug }, { signal }),
        session.call('GET /api/chain/{slug}/sources', { slug }, { signal }),
      ])
      const before = stats.entries - GROWTH_ROWS - 1
      const page = { slug, limit: GROWTH_ROWS, after: before >= 0 ? before : undefined }
      const { rows } = await session.call('GET /api/chain/{slug}/explore', page, { signal })
      return { stats, analytics, sources, rows }
    },
    { everyMs: READ_EVERY_MS, on: [session, slug] },
  )
  const plots = useMemo((): readonly Plot[] => {
    if (value === undefined) return []
    const { analytics, sources, rows } = value
    return [
      ...growthOf(rows),
      barsOf('entry type', analytics.by_type),
      barsOf('event name', analytics.by_event),
      barsOf('source', sources.by_source),
    ].filter((it) => it.kind !== 'bars' || it.labels.length > 0)
  }, [value])
  const last = Math.max(0, (value?.stats.entries ?? 0) - 1)
  return (
    <section class="card" aria-label="Activity">
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value === undefined && problem === undefined && <p class="about">reading …</p>}
      {value !== undefined && <Figures {...value} />}
      <PlotList plots={plots} source={{ title: slug, note: `up to entry ${last}`, stem: [slug, String(last)] }} />
    </section>
  )
}
