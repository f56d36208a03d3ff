import { cpuUsage } from 'node:process'
import { contractDigest } from '#core/contract/cause.ts'
import { spanAround, zoneTable } from '#node/zones.ts'
import { readCron } from '#numerics/contracts/cron/cron.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { readyContract } from '#numerics/contracts/fire/ready.ts'
import { simulateWith } from '#numerics/contracts/fire/simulate.ts'
import { bench, median } from './bench.ts'

/** 1 January 2027: in Unix seconds, and in mesh ticks. */
const [NOW, FROM] = [1_798_761_600, 2_315_005_900]
/** Ticks of 365 days, and due instants of `*\/5` in them. */
const [YEAR_TICKS, FIRES] = [40_586_800, 105_120]
const ROUNDS = 3
/** Seconds that a year may take. */
const BOUND = 3

const definition = {
  v: 1,
  name: 'every five minutes',
  context: { n: { type: 'integer', initial: 0 }, mean: { type: 'number', initial: 0 } },
  states: { running: { initial: true } },
  transitions: [
    {
      ...{ id: 'every', from: 'running', to: 'running', trigger: { kind: 'cron', expression: '*/5 * * * *' } },
      guard: 'context.n >= 0',
      actions: [
        { kind: 'compute', solver: 'heat', inputs: { n: { $: 'context.n' } }, bind: { mean: '/value' } },
        { kind: 'set', n: { $: 'context.n + 1' } },
      ],
    },
  ],
}

/** Seconds of the processor for one simulated year. */
const year = (): number => {
  const { contract } = lintContract(definition, { cron: (it) => readCron(it).faults[0]?.reason })
  const table = zoneTable('UTC', spanAround(NOW))
  if (contract === undefined || table === undefined) throw new Error('the contract of this bench is not sound')
  const ready = readyContract({ ...contract, zones: { UTC: table } })
  const [id, name] = ['0'.repeat(32), contractDigest('0'.repeat(64), '0'.repeat(32))]
  const plan = {
    ready,
    contract: name,
    id,
    standing: beginning(ready, name, FROM),
    from: FROM,
    until: FROM + YEAR_TICKS,
  }
  const before = cpuUsage()
  const { counts, standing } = simulateWith({ ...plan, happenings: [], priceOf: () => 3 }, () => ({ stubbed: true }))
  const { user, system } = cpuUsage(before)
  if (Math.abs(counts.fired - FIRES) > 1 || standing.context['n'] !== counts.fired)
    throw new Error(`a year has ${FIRES} fires, not ${counts.fired}`)
  return (user + system) / 1e6
}

export const contractsYear = bench({
  name: 'contracts-year',
  summary: 'Seconds of the processor for a simulated year of a contract that fires every five minutes, stubbed.',
  async run() {
    const rounds = Array.from({ length: ROUNDS }, year)
    console.log(`fires ${FIRES}, rounds ${rounds.map((it) => it.toFixed(2)).join(' ')} s`)
    const found = median(rounds)
    console.log(
      `a year: median ${found.toFixed(2)} s, ${(found / BOUND).toFixed(2)} of the ${BOUND} s that it may take`,
    )
  },
})
