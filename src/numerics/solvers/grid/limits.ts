import { Fault } from '#core/fault.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { islandsOf, type Network, networkOf } from './problem.ts'
import { type GridInput, OUTAGE_LINES_MAX } from './schema.ts'

/** Share of the largest power below which none flows. */
const SIGNAL_MIN = 1e-12

const refuseForm = (input: GridInput): void => {
  const { buses, lines } = input
  if (input.case !== 'own') {
    if (buses !== undefined || lines !== undefined) wrong('/buses', 'only the case “own” has buses and lines.')
    if (input.baseMva !== 100)
      wrong('/baseMva', 'the IEEE cases have 100 MVA.', { measured: input.baseMva, limit: 100 })
    return
  }
  if (buses === undefined || lines === undefined) return wrong('/buses', 'an own grid needs buses and lines.')
  for (const [k, { from, to, x }] of lines.entries()) {
    for (const [name, bus] of [
      ['from', from],
      ['to', to],
    ] as const) {
      const limit = buses.length
      if (bus > limit) wrong(`/lines/${k}/${name}`, `there is no bus ${bus}.`, { measured: bus, limit })
    }
    if (from === to) wrong(`/lines/${k}`, 'both ends are the same bus.', { measured: from })
    if (Math.abs(x) < 1e-9) {
      const why = `Line ${k + 1} has a reactance of ${x}; buses without any between them are one bus.`
      throw new Fault('ILL_POSED', why, { path: `/lines/${k}/x`, measured: x, limit: 1e-9 })
    }
  }
}

const refuseIslands = (network: Network): void => {
  const { of, count } = islandsOf(network)
  for (let island = 0; island < count; island++) {
    const own = Array.from({ length: network.buses }, (_, bus) => bus).filter((bus) => of[bus] === island)
    const slacks = own.filter((bus) => network.slack[bus] === 1)
    if (slacks.length === 1) continue
    const balance = own.reduce((sum, bus) => sum + network.generation[bus] - network.load[bus], 0)
    const where = `The island of bus ${(own[0] as number) + 1}, of ${own.length} buses,`
    const why = slacks.length === 0 ? `has no slack bus to balance ${balance} MW` : `has ${slacks.length} slack buses`
    throw new Fault('ILL_POSED', `${where} ${why}; it needs exactly one.`, {
      path: `/buses/${own[0]}/slack`,
      measured: slacks.length,
      limit: 1,
      balance,
    })
  }
}

const refuseNothing = (network: Network): void => {
  const power = (bus: number): number => (network.slack[bus] === 1 ? 0 : network.generation[bus]) - network.load[bus]
  let [net, most] = [0, 0]
  for (let bus = 0; bus < network.buses; bus++) {
    if (network.slack[bus] === 0) net = Math.max(net, Math.abs(power(bus)))
    most = Math.max(most, Math.abs(network.load[bus]), Math.abs(network.generation[bus]))
  }
  if (network.lines.some(({ shift }) => shift !== 0)) return
  if (net > SIGNAL_MIN * most && net > 0) return
  throw new Fault('ILL_POSED', 'No bus but slack buses takes or gives any power: nothing flows.', {
    measured: net,
    limit: SIGNAL_MIN * most,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (an end that is no bus, both ends one), ILL_POSED (zero reactance, an island without its
 * one slack bus, nothing that flows), WORK_LIMIT_EXCEEDED (contingencies of too many lines).
 */
export const refuseGrid = (input: GridInput): void => {
  refuseForm(input)
  const network = networkOf(input)
  const lines = network.lines.length
  if (input.contingencies && lines > OUTAGE_LINES_MAX) {
    const why = `Contingencies of ${lines} lines; ${OUTAGE_LINES_MAX} are allowed.`
    throw new Fault('WORK_LIMIT_EXCEEDED', why, { measured: lines, limit: OUTAGE_LINES_MAX })
  }
  refuseIslands(network)
  refuseNothing(network)
}
