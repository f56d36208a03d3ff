import type { Found } from './mesh-found.ts'
import { joined, quantile } from './mesh-load.ts'
import { type Sample, slopePerMinute, typical } from './mesh-watch.ts'

const MB = 1e6
/** From here on a process is taken to be warm; of a short run the last two thirds. */
const WARM_SECONDS = 60

const deltas = ({ before, after }: Found) =>
  after.map((it, i) => {
    const from = before[i]
    const dropped = Object.entries(it.dropped).map(([reason, n]) => [reason, n - (from?.dropped[reason] ?? 0)] as const)
    return {
      node: it.node,
      published: it.published - (from?.published ?? 0),
      unpublished: it.unpublished - (from?.unpublished ?? 0),
      received: it.received - (from?.received ?? 0),
      repeated: it.repeated - (from?.repeated ?? 0),
      dropped: Object.fromEntries(dropped.filter(([, n]) => n > 0)),
      meshSize: it.meshSize,
    }
  })

/** Lasting events: for each pair of nodes, whether the one has all that the other has signed. */
const lastingOf = ({ before, after }: Found) => {
  const sizeOf = (all: Found['after'], node: string): number =>
    Math.max(0, ...all.map((it) => it.sources.get(node)?.noted ?? 0))
  const pairs = after.flatMap((one) => after.filter((it) => it !== one).map((other) => ({ one, other })))
  const missing = pairs.map(({ one, other }) => sizeOf(after, other.node) - (one.sources.get(other.node)?.size ?? 0))
  return {
    leavesSigned: after.reduce((sum, it) => sum + sizeOf(after, it.node) - sizeOf(before, it.node), 0),
    pairs: pairs.length,
    pairsComplete: missing.filter((it) => it <= 0).length,
    leavesMissing: missing.reduce((sum, it) => sum + Math.max(0, it), 0),
  }
}

/** What of a run counts as warm. */
const warmOf = (samples: readonly Sample[], seconds: number): readonly Sample[] =>
  samples.filter(({ at }) => at >= Math.min(WARM_SECONDS, seconds / 3))

const processesOf = ({ samples, seconds, bytesBefore, bytesAfter }: Found) =>
  samples.map((all, i) => {
    const warm = warmOf(all, seconds)
    const [first, last] = [warm[0], warm.at(-1)]
    const cpu = ((last?.cpuSeconds ?? 0) - (first?.cpuSeconds ?? 0)) / ((last?.at ?? 1) - (first?.at ?? 0))
    return {
      rssWarmMB: (first?.rssBytes ?? 0) / MB,
      rssEndMB: (last?.rssBytes ?? 0) / MB,
      rssMostMB: Math.max(...all.map((it) => it.rssBytes)) / MB,
      rssSlopeMBPerMinute: slopePerMinute(warm, (it) => it.rssBytes) / MB,
      ownSlopeMBPerMinute: slopePerMinute(warm, (it) => it.ownBytes) / MB,
      heapSlopeMBPerMinute: slopePerMinute(warm, (it) => it.heapBytes) / MB,
      loopLagMs: typical(warm.map((it) => it.loopLagMs)),
      loopLagMostMs: Math.max(...warm.map((it) => it.loopLagMs)),
      cpuShare: cpu,
      diskMB: ((bytesAfter[i] ?? 0) - (bytesBefore[i] ?? 0)) / MB,
    }
  })

const callsOf = ({ tallies, seconds }: Found) =>
  [...new Set(tallies.map(({ kind }) => kind))].map((kind) => {
    const { ms, statuses, skipped } = joined(kind, tallies)
    return {
      kind,
      answered: ms.length,
      perSecond: ms.length / seconds,
      p50Ms: quantile(ms, 0.5),
      p99Ms: quantile(ms, 0.99),
      mostMs: quantile(ms, 1),
      skipped,
      statuses: Object.fromEntries(statuses),
    }
  })

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => {
  const cells = [head, ...rows.map((row) => row.map((it) => (typeof it === 'number' ? it.toFixed(1) : it)))]
  const widths = head.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)))
  return cells.map((row) => row.map((it, i) => it.padStart(widths[i] ?? 0)).join('  ')).join('\n')
}

/** The tables for people, and all figures for machines. */
export const report = (found: Found): { readonly text: string; readonly data: object } => {
  const gossip = deltas(found)
  const published = gossip.reduce((sum, it) => sum + it.published, 0)
  const expected = gossip.reduce((sum, it) => sum + published - it.published, 0)
  const delivered = gossip.reduce((sum, it) => sum + it.received, 0)
  const repeated = gossip.reduce((sum, it) => sum + it.repeated, 0)
  const lasting = lastingOf(found)
  const processes = processesOf(found)
  const calls = callsOf(found)
  const share = ((100 * delivered) / expected).toFixed(3)
  const nodes = gossip.map((it, i) => {
    const process = processes[i]
    if (process === undefined) throw new Error('a process for each node')
    const { rssWarmMB, rssEndMB, rssSlopeMBPerMinute, ownSlopeMBPerMinute, heapSlopeMBPerMinute } = process
    const { loopLagMs, loopLagMostMs, cpuShare, diskMB } = process
    const slopes = [rssSlopeMBPerMinute, ownSlopeMBPerMinute, heapSlopeMBPerMinute]
    const dropped = Object.entries(it.dropped).map(([reason, n]) => `${reason} ${n}`)
    const counts = [it.published, it.received, it.unpublished].map(String)
    const levels = [rssWarmMB, rssEndMB, ...slopes, loopLagMs, loopLagMostMs, 100 * cpuShare, diskMB]
    return [`node${i + 1}`, ...counts, ...levels, dropped.join(' ') || '0']
  })
  const memory = ['RSS warm', 'end', 'MB/min', 'own MB/min', 'heap MB/min']
  const head = ['', 'sent', 'received', 'unsent', ...memory, 'lag p99 ms', 'most', 'CPU %', 'disk MB']
  const rows = calls.map((it) => {
    const bad = Object.entries(it.statuses).filter(([status]) => !status.startsWith('2'))
    const others = bad.map(([status, n]) => `${status}: ${n}`).join(' ') || '0'
    return [it.kind, String(it.answered), it.perSecond, it.p50Ms, it.p99Ms, it.mostMs, String(it.skipped), others]
  })
  const time = found.seconds.toFixed(0)
  const complete = `${lasting.pairsComplete} of ${lasting.pairs} pairs complete`
  const text = [
    table([...head, 'dropped'], nodes),
    '',
    table(['calls', 'answered', 'per s', 'p50 ms', 'p99 ms', 'most ms', 'skipped', 'other'], rows),
    '',
    `gossip: ${delivered} of ${expected} events delivered (${share} %), ${repeated} a second time, in ${time} s`,
    `lasting: ${lasting.leavesSigned} leaves signed; ${complete}, ${lasting.leavesMissing} leaves missing`,
  ].join('\n')
  const { asked, seconds, synced } = found
  const sums = { published, expected, delivered, repeated, deliveredPct: (100 * delivered) / expected }
  return { text, data: { asked, seconds, gossip: { ...sums, nodes: gossip }, lasting, synced, processes, calls } }
}
