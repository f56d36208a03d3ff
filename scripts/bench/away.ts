import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { type Client, createClient } from '#gateway/client.ts'
import { namesPeer } from '#mesh/libp2p.ts'
import { bench, median, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'

const PAIRS = 10
const SOLVER = '/api/svc/gauge'
/** Processor time of the run that is wanted, and steps by which its pace is measured. */
const RUN_MS = 5_000
const TRIED_STEPS = 4_000
const CALL_MS_MAX = 120_000
const JOIN_MS_MAX = 30_000
const LOOK_MS = 100
/** Envelopes asked for at once, for the bond. */
const SEALED_AT_ONCE = 16

const clientOf = ({ url, ownerKey: key }: ChildNode): Client => createClient({ url, key, timeoutMs: CALL_MS_MAX })

/** Gives a node's owner what a bond takes, and has it contribute. */
const contribute = async (client: Client): Promise<void> => {
  let left = BOND_TOKENS
  const sealSome = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await client.call('compute.compute', { operators: ['GR37'], inputs: { mass: 1 + left } })
    }
  }
  await Promise.all(Array.from({ length: SEALED_AT_ONCE }, sealSome))
  await client.call('network.contribute-bond', {})
  await client.call('network.contribute-mode', { mode: 'contributing' })
}

/** One run, to its answer. @returns milliseconds, and the node that computed it */
const timed = async (client: Client, steps: number, prefer?: string) => {
  const from = performance.now()
  const said = ['respond-async', ...(prefer === undefined ? [] : [prefer])].join(', ')
  const { status, body } = await client.send('POST', SOLVER, { sweeps: steps }, { prefer: said })
  const job = body as { readonly id: string; readonly claim?: { readonly worker: { readonly node: string } | null } }
  if (status !== 202) return { ms: performance.now() - from, worker: job.claim?.worker?.node }
  for await (const { data } of client.stream(
    'compute.job-events',
    { id: job.id },
    { signal: AbortSignal.timeout(CALL_MS_MAX) },
  )) {
    const { state } = data as { readonly state: string }
    if (state !== 'queued' && state !== 'running') break
  }
  const { answer, problem } = await client.call('compute.job', { id: job.id })
  if (answer === null) throw new Error(`the run came to nothing: ${JSON.stringify(problem)}`)
  const { claim } = answer as unknown as typeof job
  return { ms: performance.now() - from, worker: claim?.worker?.node }
}

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const late = performance.now() + JOIN_MS_MAX
  while (!(await holds())) {
    if (performance.now() > late) throw new Error(`it never came to that ${what}`)
    await pause(LOOK_MS)
  }
}

const pairOf = async (stack: AsyncDisposableStack) => {
  const start = async (more: Readonly<Record<string, string>>): Promise<ChildNode> => {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-away-'))
    stack.defer(() => rmSync(directory, { recursive: true, force: true }))
    const node = await startChildNode(directory, { TICKMESH_P2P_ENABLED: 'true', ...more })
    stack.defer(() => node.end('SIGTERM'))
    return node
  }
  // No run is drawn to be done again whole: that is told apart, and costs as much as the run.
  const here = await start({ TICKMESH_CONTRIBUTE_AUDIT_RATE: '5000' })
  const { addresses } = await clientOf(here).call('network.mesh-status', {})
  const there = await start({ TICKMESH_BOOTSTRAP: addresses.find(namesPeer) ?? '' })
  return { here: clientOf(here), there: clientOf(there) }
}

/** The same run on this node and by an idle peer, in pairs. */
export const away = bench({
  name: 'away',
  summary: '[pairs]: a run of 5 s by an idle peer, sampled, checked and sealed, against the same run here',
  async run([word]) {
    const pairs = wholeOr(word, PAIRS)
    await using stack = new AsyncDisposableStack()
    const { here, there } = await pairOf(stack)
    await contribute(there)
    await until('the worker is known', async () =>
      (await here.call('network.mesh-status', {})).peers.some(({ mode }) => mode === 'contributing'),
    )
    await timed(here, TRIED_STEPS)
    const { ms } = await timed(here, TRIED_STEPS + 1)
    const steps = Math.round((TRIED_STEPS * RUN_MS) / ms)
    console.log(`${SOLVER} with ${steps} sweeps; milliseconds here, away, and their ratio`)
    const ratios: number[] = []
    for (let i = 0; i < pairs; i++) {
      // Other inputs each time: nothing is answered from what was computed before.
      const local = await timed(here, steps + 2 * i)
      const remote = await timed(here, steps + 2 * i + 1, 'where=mesh; consent')
      if (remote.worker === undefined) throw new Error('it was computed here')
      ratios.push(remote.ms / local.ms)
      console.log(
        `${local.ms.toFixed(0).padStart(7)} ${remote.ms.toFixed(0).padStart(7)} ${(remote.ms / local.ms).toFixed(3)}`,
      )
    }
    console.log(`median of the ratios ${median(ratios).toFixed(3)} (${pairs} pairs)`)
  },
})
