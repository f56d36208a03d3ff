import { checkContract } from '#numerics/contracts/checker/check.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { hostile } from './hostile.ts'
const UTC = { v: 1, zone: 'UTC', from: 1_735_689_600, until: 2_145_916_800, offset: 0, changes: [] } as const
for (const make of hostile.filter((it) => process.argv.includes(it.name))) {
  const { contract } = lintContract(make(), { cron: () => undefined })
  if (!contract) continue
  const t = process.cpuUsage().user / 1000
  checkContract(contract.definition, { from: 1_767_225_600, zones: { UTC: UTC as never } })
  console.log(make.name, process.cpuUsage().user / 1000 - t)
}
