import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '#gateway/client.ts'
import { STEPS_MAX } from '#numerics/reactor/schema.ts'
import { bench, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'
import { costs, ofMainThread } from './profile-costs.ts'
import { cpuSecondsOf, grantOwner, load, UNLIMITED } from './sealed.ts'

const ROWS = 25
const WARM_SECONDS = 3
const INTERVAL_US = 500
/** Reactors that step in turn, as many as an account has: none is asked for a step while it takes one. */
const REACTORS = 32
const STEPPING = 8
/** Of short steps, whose errors do not come to their bound before the measurement ends. */
const CONTRACT = { steps: STEPS_MAX, stretch: 0.1 } as const

const print = (title: string, all: ReadonlyMap<string, number>, busy: number): void => {
  console.log(`\n${title}`)
  const rows = [...all].sort(([, a], [, b]) => b - a).slice(0, ROWS)
  for (const [name, us] of rows) console.log(`${((100 * us) / busy).toFixed(1).padStart(6)} %  ${name}`)
}

/** What is called under load. */
interface Work {
  readonly title: string
  readonly path: string
  readonly connections?: number
  readonly body?: () => string
}

const closedForm = async (): Promise<Work> => ({ title: 'sealed closed form', path: '/api/svc/compute' })

const reactorStep = async ({ url, ownerKey }: ChildNode): Promise<Work> => {
  const client = createClient({ url, key: ownerKey })
  const reactors: string[] = []
  for (let i = 0; i < REACTORS; i++) reactors.push((await client.call('compute.reactor', CONTRACT)).reactor.id)
  let turn = 0
  const body = (): string => JSON.stringify({ reactor: reactors[turn++ % REACTORS] })
  return { title: "reactor's step", path: '/api/svc/reactor/step', connections: STEPPING, body }
}

/** The table of one kind of call: processor time by part, of the main thread and of the others. */
const table = (kinds: ReadonlyMap<string, number>, mainUs: number, allUs: number, calls: number): void => {
  const line = (title: string, us: number): void =>
    console.log(`${(us / calls).toFixed(0).padStart(7)} us  ${((100 * us) / allUs).toFixed(1).padStart(5)} %  ${title}`)
  for (const [title, us] of [...kinds].sort(([, a], [, b]) => b - a)) line(title, us)
  line('other threads: solvers, signatures, LevelDB, collector', Math.max(0, allUs - mainUs))
  line('whole', allUs)
}

const sampled = async (prepare: (node: ChildNode) => Promise<Work>, seconds: number, isLong: boolean) => {
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-profile-'))
  const profiles = join(directory, 'profiles')
  const args = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${INTERVAL_US}`]
  try {
    const began = performance.now()
    const sinceUs = (): number => (performance.now() - began) * 1000
    const node = await startChildNode(join(directory, 'data'), UNLIMITED, args)
    let [calls, fromUs, toUs, allUs] = [0, 0, 0, 0]
    try {
      await grantOwner(node)
      const { title, path, ...more } = await prepare(node)
      const target = { url: `${node.url}${path}`, key: node.ownerKey, ...more }
      await load({ title: 'warming up', ...target }, WARM_SECONDS)
      const before = await cpuSecondsOf(node)
      fromUs = sinceUs()
      calls = await load({ title, ...target }, seconds)
      toUs = sinceUs()
      allUs = ((await cpuSecondsOf(node)) - before) * 1e6
    } finally {
      await node.end('SIGTERM')
    }
    const stretch = { fromUs, toUs }
    const { self, part, asked, within, kinds, busy, idle } = costs(ofMainThread(profiles), stretch)
    console.log(`main thread: ${(busy / 1e6).toFixed(1)} s busy, ${(idle / 1e6).toFixed(1)} s idle`)
    // A sample is of the clock: where the machine does other things as well, it counts what the thread waited for them.
    table(kinds, busy, Math.max(allUs, busy), calls)
    if (!isLong) return
    print('by library and folder', part, busy)
    print('by function', self, busy)
    print('by the function of ours that asked for it', asked, busy)
    print('within functions of ours', within, busy)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What holds the sealed calls: the node's main thread under load, sampled. */
export const profile = bench({
  name: 'profile',
  summary: 'processor time of a sealed closed form and of a step of a reactor, by part [seconds, "long" for functions]',
  async run([seconds, long]) {
    for (const work of [closedForm, reactorStep]) await sampled(work, wholeOr(seconds, 15), long === 'long')
  },
})
