import assert from 'node:assert/strict'
import type { Json } from '#core/canonical.ts'
import { contractDigest } from '#core/contract/cause.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { price } from '#core/price.ts'
import { meshTickAt } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { fillTemplate } from '#domain/contracts/templates/fill.ts'
import { zoneTable } from '#node/zones.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { boundOf } from '#numerics/contracts/fire/bound.ts'
import type { ComputeOrder, ComputeOutcome } from '#numerics/contracts/fire/effects.ts'
import { readyContract } from '#numerics/contracts/fire/ready.ts'
import { simulateWith } from '#numerics/contracts/fire/simulate.ts'
import type { ContractHappening, Simulation } from '#numerics/contracts/fire/simulation.ts'
import type { Template } from '#numerics/contracts/templates/template.ts'
import { computeCertain } from '#numerics/operators/compute.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { cronHere, SPAN } from './kit.ts'

const ID = 'a1'.repeat(16)
const CONTRACT = contractDigest('0'.repeat(64), ID)

/** A computation of a scenario, as a node runs it: the whole input, the run, its check and the gate. */
const computed = ({ solver: name, operators = [], inputs, bind }: ComputeOrder): ComputeOutcome => {
  if (name === undefined) {
    const { value, unit, check } = computeCertain(loadRegistry(), { operators, inputs })
    passGate({ against: check.against, errorPct: check.measured, figures: {} })
    return { bound: boundOf({ output: {}, value, unit }, bind) }
  }
  const solver = solverByName(name)
  assert(solver !== undefined, `there is a solver ${name}`)
  const input = resolveInput(solver, inputs)
  solver.refuse(input)
  assert(solver.work(input) <= solver.limits.workAnonymousMax, `${name} is within the work of callers without a key`)
  const { outcome, value } = produce(solver, input)
  const output = JSON.parse(JSON.stringify(outcome.output)) as Readonly<Record<string, Json>>
  return { bound: boundOf({ output, value, unit: solver.unit }, bind) }
}

const happeningOf = (it: Template['scenario']['steps'][number], start: number): ContractHappening => {
  const tick = start + it.at
  if (it.oracle !== undefined) return { tick, kind: 'reading', oracle: it.oracle, value: it.value as Scalar }
  if (it.transition !== undefined) return { tick, kind: 'transition', id: it.transition }
  const data = (it.data ?? {}) as Readonly<Record<string, Json>>
  return { tick, kind: 'event', name: it.event ?? '', from: null, data }
}

/** Plays the scenario of a template: every computation really runs. */
export const play = (template: Template): Simulation => {
  const { parameters, start_unix, steps, until } = template.scenario
  const { definition } = fillTemplate(template.id, parameters)
  const { contract, faults } = lintContract(definition, { cron: cronHere })
  assert(contract !== undefined, JSON.stringify(faults))
  const { timezone, transitions } = contract.definition
  const named = transitions.map(({ trigger }) => (trigger.kind === 'cron' ? (trigger.timezone ?? timezone) : timezone))
  const zones = Object.fromEntries(
    [...new Set(named)].map((zone) => {
      const table = zoneTable(zone, SPAN)
      assert(table !== undefined, `there is a zone ${zone}`)
      return [zone, table]
    }),
  )
  const ready = readyContract({ ...contract, zones })
  const start = meshTickAt(BigInt(start_unix) * NS_PER_SECOND)
  const plan = {
    ...{ ready, contract: CONTRACT, id: ID, standing: beginning(ready, CONTRACT, start), from: start },
    until: start + until,
    happenings: steps.map((it) => happeningOf(it, start)),
    priceOf: ({ operators = [] }: ComputeOrder) => price(Math.max(1, operators.length)),
  }
  return simulateWith(plan, computed)
}
