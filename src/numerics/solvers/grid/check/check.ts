import { PI } from '#numerics/math.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { BASE_MVA, caseOf } from '#numerics/solvers/grid/ieee.ts'
import {
  across,
  DEGREE,
  islandsOf,
  type Line,
  linesAt,
  type Network,
  networkOf,
} from '#numerics/solvers/grid/problem.ts'
import type { GridEvidence, GridInput, GridOutput } from '#numerics/solvers/grid/schema.ts'

const AGAINST = 'Kirchhoff’s laws on the flows alone: what meets at every bus, and the sum around every loop'
/** Relative disagreement of numbers that follow from others. */
const ECHO = 1e-9

/**
 * Whether a network is the one that the input states, line by line and bus by bus: drops from reactance and tap,
 * shifts from degrees, powers from the scale. Run and check take their network from one function, so that this is
 * worked out anew.
 */
export const isProblemOf = (input: GridInput, { lines, load, generation, slack }: Network): boolean => {
  const own = input.case === 'own'
  const base = own ? input.baseMva : BASE_MVA
  const published = own ? undefined : caseOf(input.case)
  const asked = published?.lines.map((it) => ({ ...it, shift: 0 })) ?? input.lines ?? []
  const close = (found: number | undefined, wanted: number): boolean =>
    found !== undefined && Math.abs(found - wanted) <= 1e-12 * Math.abs(wanted)
  const buses = Array.from(load, (_, bus) => ({
    load: published?.load[bus] ?? input.buses?.[bus]?.load ?? Number.NaN,
    generation: published?.generation[bus] ?? input.buses?.[bus]?.generation ?? Number.NaN,
    slack: published === undefined ? input.buses?.[bus]?.slack === true : published.slack === bus + 1,
  }))
  return (
    lines.length === asked.length &&
    load.length === (published?.load ?? input.buses ?? []).length &&
    asked.every(({ from, to, x, tap, shift }, k) => {
      const line = lines[k]
      const ends = line?.from === from - 1 && line.to === to - 1
      return ends && close(line.drop * base, tap * x) && close(line.shift * 180, PI * shift)
    }) &&
    buses.every(
      (bus, k) =>
        close(load[k], bus.load * input.scale) &&
        close(generation[k], bus.generation * input.scale) &&
        (slack[k] === 1) === bus.slack,
    )
  )
}

/** What is left over of both laws. */
interface Residuals {
  /** Largest power that vanishes or appears at a bus, in megawatts. */
  readonly current: number
  /** Largest sum around a loop, in radians. */
  readonly voltage: number
  /** Buses that cannot be reached from the first of their island. */
  readonly unreached: number
  /** Angles that the flows add up to along a tree, from 0 at slack buses. */
  readonly angles: Float64Array
}

/** Walks a network from its slack buses, with the flows of its lines as the only source of angles. */
interface Walker {
  residuals(flows: ArrayLike<number>, out: number): Residuals
}

/**
 * Flows are held against Kirchhoff's laws: a tree is grown from each slack bus, angles follow along it from x·f and
 * shift, and every line that is not in the tree closes a loop whose sum is what its ends' angles lack.
 */
const walkerOf = (network: Network, injections: ArrayLike<number>): Walker => {
  const { buses, lines, slack } = network
  const at = linesAt(network)
  const queue = new Int32Array(buses)
  const reached = new Uint8Array(buses)
  const residuals = (flows: ArrayLike<number>, out: number): Residuals => {
    const left = Float64Array.from({ length: buses }, (_, bus) => injections[bus] as number)
    const drops = new Float64Array(lines.length)
    for (let k = 0; k < lines.length; k++) {
      const { from, to, drop, shift } = lines[k] as Line
      if (k === out) continue
      left[from] -= flows[k] as number
      left[to] += flows[k] as number
      drops[k] = drop * (flows[k] as number) + shift
    }
    const angles = new Float64Array(buses)
    reached.fill(0)
    let [head, tail] = [0, 0]
    for (let bus = 0; bus < buses; bus++) {
      if (slack[bus] === 0) continue
      reached[bus] = 1
      queue[tail++] = bus
    }
    let voltage = 0
    while (head < tail) {
      const bus = queue[head++]
      for (const k of at[bus] as readonly number[]) {
        if (k === out) continue
        const line = lines[k] as Line
        const there = across(line, bus)
        const angle = angles[bus] - (line.from === bus ? drops[k] : -drops[k])
        if (reached[there] === 0) {
          reached[there] = 1
          angles[there] = angle
          queue[tail++] = there
          continue
        }
        const gap = Math.abs(angle - angles[there])
        if (!(gap <= voltage)) voltage = gap
      }
    }
    let current = 0
    for (const power of left) if (!(Math.abs(power) <= current)) current = Math.abs(power)
    return { current, voltage, unreached: buses - tail, angles }
  }
  return { residuals }
}

/** The larger of both residuals in percent: of the power that is moved at all, and of the largest drop along a line. */
const percentOf = (network: Network, { current, voltage }: Residuals, flows: ArrayLike<number>): number => {
  let [taken, most] = [0, 0]
  for (const load of network.load) taken += Math.abs(load)
  let moved = 0
  for (let k = 0; k < network.lines.length; k++) {
    moved = Math.max(moved, Math.abs(flows[k] as number))
    most = Math.max(most, Math.abs((network.lines[k] as Line).drop * (flows[k] as number)))
  }
  // A grid without loads moves what its generators give.
  return 100 * Math.max(current / (taken > 0 ? taken : moved), voltage / most)
}

const near = (found: number | undefined, wanted: number, scale: number): boolean =>
  Math.abs((found ?? Number.NaN) - wanted) <= ECHO * Math.max(Math.abs(wanted), scale)

const allNear = (found: ArrayLike<number>, wanted: ArrayLike<number>, scale: number): boolean =>
  found.length === wanted.length && Array.from(wanted).every((it, k) => near(found[k], it, scale))

const largestOf = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((most, it) => Math.max(most, Math.abs(it)), 0)

/** Whether what follows from the input, from the flows or from a tree does so. */
const echoes = (input: GridInput, output: GridOutput, network: Network, walked: Residuals): boolean => {
  const { buses, lines, slack, load, generation } = network
  const most = largestOf(output.flows)
  const { count } = islandsOf(network)
  const ends = lines.flatMap(({ from, to }) => [from + 1, to + 1])
  const asked = Array.from(slack).every(
    (it, bus) => it === 1 || near(output.injections[bus], generation[bus] - load[bus], 0),
  )
  const given = output.injections.reduce((sum, it, bus) => (slack[bus] === 1 ? sum + it : sum), 0)
  const angles = walked.angles.map((it) => it / DEGREE)
  const turn = largestOf(angles)
  return (
    isProblemOf(input, network) &&
    output.case === input.case &&
    output.buses === buses &&
    output.lines === lines.length &&
    output.islands === count &&
    output.loops === lines.length - buses + count &&
    output.flows.length === lines.length &&
    output.injections.length === buses &&
    asked &&
    near(
      output.load,
      load.reduce((sum, it) => sum + it, 0),
      0,
    ) &&
    near(output.slackInjection, given, most) &&
    output.largestFlow === most &&
    Math.abs(output.flows[output.largestLine - 1] ?? Number.NaN) === most &&
    allNear(output.angles, angles, turn) &&
    allNear(output.ends, ends, 0)
  )
}

/** The outages: both laws for each one that leaves its island whole; the others must cut it. */
const outagesPct = (
  input: GridInput,
  output: GridOutput,
  { network, walker, table }: { network: Network; walker: Walker; table: Float64Array },
): number => {
  const count = input.contingencies ? network.lines.length : 0
  const { worstFlows, worstLines, bridges } = output
  const lengths = worstFlows.length === count && worstLines.length === count && table.length === count * count
  if (!lengths || (count === 0 && bridges.length > 0)) return 100
  const cut = new Set(bridges)
  const rising = bridges.every((line, k) => line >= 1 && line <= count && (k === 0 || line > (bridges[k - 1] ?? 0)))
  if (!rising) return 100
  let most = 0
  for (let k = 0; k < count; k++) {
    const flows = table.subarray(k * count, (k + 1) * count)
    const residuals = walker.residuals(flows, k)
    const bridge = cut.has(k + 1)
    if (residuals.unreached > 0 !== bridge) return 100
    const largest = largestOf(flows)
    const line = worstLines[k] ?? -1
    const named = bridge ? line === 0 && largest === 0 : Math.abs(flows[line - 1] ?? Number.NaN) === largest
    if (!named || worstFlows[k] !== largest || flows[k] !== 0) return 100
    if (bridge) continue
    // Not by a comparison: a NaN would be forgotten at the next outage.
    most = Math.max(most, percentOf(network, residuals, flows))
  }
  return most
}

/**
 * Checks flows by Kirchhoff's laws alone, which together leave no other: angles are not read for it, they must follow.
 * The same for every outage.
 */
export const checkGrid = (input: GridInput, output: GridOutput, { outageFlows }: GridEvidence): Reality => {
  const network = networkOf(input)
  const walker = walkerOf(network, output.injections)
  const walked = walker.residuals(output.flows, -1)
  if (!echoes(input, output, network, walked)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const basePct = percentOf(network, walked, output.flows)
  const outages = outagesPct(input, output, { network, walker, table: outageFlows })
  const broken = !Number.isFinite(basePct) || !Number.isFinite(outages) || walked.unreached > 0
  return {
    against: AGAINST,
    errorPct: broken ? Number.NaN : Math.max(basePct, outages),
    figures: {
      bus_mw: walked.current,
      loop_rad: walked.voltage,
      base_pct: basePct,
      ...(input.contingencies ? { outages_pct: outages } : {}),
    },
  }
}
