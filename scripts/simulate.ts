import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { trustRules } from '#core/dispute/rules.ts'
import { simulate } from './simulate/run.ts'

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '50' },
    cheats: { type: 'string', default: '0.2' },
    seed: { type: 'string', default: '1' },
    mode: { type: 'string', default: 'safety' },
    segments: { type: 'string', default: '24' },
  },
})
const t = performance.now()
const world = simulate({
  nodes: +values.nodes,
  jobs: +values.jobs,
  cheats: +values.cheats,
  seed: +values.seed,
  mode: values.mode as 'safety',
  segments: +values.segments,
  rules: trustRules,
})
console.log(
  values.seed,
  world.works.size,
  world.challenges.size,
  world.violations,
  Math.round(performance.now() - t),
  execFileSync('true').length,
)
