import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { meshTickAt, TICK_NS } from '#core/tick.ts'
import { NS_PER_MS } from '#core/time.ts'
import { testNode } from '../../test/kit/node.ts'
import { cpuSecondsOf } from '../test-cpu.ts'
import { startChildNode } from './child-node.ts'
import { makeContracts } from './contracts-made.ts'

/** Contracts of one machine. */
const EACH = 1_000
/** Ticks before now in which they are made: longer than that takes by the node's clock. */
const BEFORE = 20_000n
/** Ticks until they are due: none is while anybody looks. */
const AHEAD = 10_000_000
/** Starts of which the shortest counts. */
const STARTS = 3
/** What a start leaves to be done is over by then. */
const SETTLE_MS = 30_000
const WINDOW_MS = 20_000

/** A start, and what it is like to wait. */
interface Waited {
  readonly startSeconds: number
  /** Part of a core, in hundredths. */
  readonly idlePct: number
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A data directory with contracts that wait; the node that made them has ended. */
const makeWaiting = async (directory: string, contracts: number, machines: number): Promise<void> => {
  const now = BigInt(Date.now()) * NS_PER_MS
  await using it = await testNode({ directory, start: now - BEFORE * TICK_NS })
  await makeContracts(it, { contracts, machines, at: meshTickAt(now) + AHEAD })
}

const startOf = async (directory: string) => startChildNode(directory, { TICKMESH_P2P_ENABLED: 'false' })

const usedBy = async (nodes: readonly { readonly process: { readonly pid?: number | undefined } }[]) =>
  nodes.map(({ process: { pid } }) => cpuSecondsOf(String(pid)) ?? Number.NaN)

/** Both nodes are measured at once, so that what else the machine does is in both. */
const waitedOn = async (directories: readonly string[]): Promise<readonly Waited[]> => {
  const starts = directories.map(() => Number.POSITIVE_INFINITY)
  for (let round = 1; round < STARTS; round++) {
    for (const [i, directory] of directories.entries()) {
      const node = await startOf(directory)
      starts[i] = Math.min(starts[i] ?? Number.POSITIVE_INFINITY, node.readySeconds)
      await node.end('SIGTERM')
    }
  }
  const nodes = []
  for (const directory of directories) nodes.push(await startOf(directory))
  try {
    await pause(SETTLE_MS)
    const [from, before] = [performance.now(), await usedBy(nodes)]
    await pause(WINDOW_MS)
    const [seconds, after] = [(performance.now() - from) / 1e3, await usedBy(nodes)]
    return nodes.map(({ readySeconds }, i) => ({
      startSeconds: Math.min(starts[i] ?? readySeconds, readySeconds),
      idlePct: (100 * ((after[i] ?? Number.NaN) - (before[i] ?? Number.NaN))) / seconds,
    }))
  } finally {
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
  }
}

/** What contracts that wait cost a node that starts, and one at rest, beside the same node without them; printed. */
export const contractsWaiting = async (contracts: number): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'tickmesh-bench-waiting-'))
  try {
    const machines = Math.ceil(contracts / EACH)
    const directories = [join(root, 'with'), join(root, 'without')] as const
    await makeWaiting(directories[0], contracts, machines)
    await makeWaiting(directories[1], 0, machines)
    const [of, base] = (await waitedOn(directories)) as [Waited, Waited]
    const idle = (of.idlePct - base.idlePct).toFixed(2)
    const start = (of.startSeconds - base.startSeconds).toFixed(2)
    console.log(`${contracts} contracts that wait over ${machines} machines, and the same node without them:`)
    console.log(`  idle ${of.idlePct.toFixed(2)} % of a core, without ${base.idlePct.toFixed(2)} %: theirs ${idle} %`)
    console.log(`  start ${of.startSeconds.toFixed(2)} s, without ${base.startSeconds.toFixed(2)} s: theirs ${start} s`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
