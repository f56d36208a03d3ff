import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type CounterName, counters, type DurationName, durations, type Meter } from '#core/telemetry.ts'
import { dropReasons } from '#domain/network/views.ts'

/** Bounds in seconds, from a cached answer to the longest call that is not a job. */
const BUCKETS_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]

/**
 * How often the lag of the loop is looked at: each look wakes an idle process, so a tenth of the half second that an
 * alert is for. The times told are those between two looks, and so no shorter.
 */
const LAG_LOOK_MS = 50

/** Series that stand at 0 from the start, so that their first rise is seen as one. */
const zeros: readonly (readonly [CounterName, Readonly<Record<string, string>>])[] = [
  ...dropReasons.map((reason) => ['gossip_dropped_total', { reason }] as const),
  ...['http', 'libp2p', 'redis'].map((entrance) => ['gossip_received_total', { entrance }] as const),
  ['sandbox_runs', { code: 'ok' }],
]

/** Levels that are read when someone asks: name, help and where the value stands. */
export interface GaugeRow {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** One number, or one per set of labels. */
  readonly read: () => number | readonly (readonly [Readonly<Record<string, string>>, number])[]
}

/** The node's metrics: a meter to write to and a text to read. */
export interface Metrics extends Meter {
  gauge(row: GaugeRow): void
  /** Prometheus text exposition. */
  text(): Promise<string>
  readonly type: string
}

/** A registry of its own for each node, so that several can live in one process. */
export const createMetrics = (): Metrics => {
  const registry = new Registry()
  let looksAtProcess = false
  /** What is measured of the process begins with the first reader: a node that nobody scrapes is not woken by it. */
  const lookAtProcess = (): void => {
    if (looksAtProcess) return
    looksAtProcess = true
    collectDefaultMetrics({ register: registry, prefix: 'tickmesh_', eventLoopMonitoringPrecision: LAG_LOOK_MS })
  }
  const registers = [registry]
  const counting = new Map<string, Counter>()
  for (const [name, { help, labels }] of Object.entries(counters)) {
    counting.set(name, new Counter({ name: `tickmesh_${name}`, help, labelNames: [...labels], registers }))
  }
  for (const [name, labels] of zeros) counting.get(name)?.inc({ ...labels }, 0)
  const timing = new Map<string, Histogram>()
  for (const [name, { help, labels }] of Object.entries(durations)) {
    const options = { name: `tickmesh_${name}`, help, labelNames: [...labels], buckets: BUCKETS_SECONDS, registers }
    timing.set(name, new Histogram(options))
  }
  return {
    count: (name: CounterName, labels = {}, by = 1) => counting.get(name)?.inc({ ...labels }, by),
    observe: (name: DurationName, seconds, labels = {}) => timing.get(name)?.observe({ ...labels }, seconds),
    gauge({ name, help, labels = [], read }) {
      const gauge: Gauge = new Gauge({
        name: `tickmesh_${name}`,
        help,
        labelNames: [...labels],
        registers,
        collect: () => {
          const value = read()
          gauge.reset()
          if (typeof value === 'number') gauge.set(value)
          else for (const [at, level] of value) gauge.set({ ...at }, level)
        },
      })
    },
    text: () => {
      lookAtProcess()
      return registry.metrics()
    },
    type: registry.contentType,
  }
}
