import { cpSync, mkdtempSync } from 'node:fs'
import { TICK_NS } from '#core/tick.ts'
import { START } from '../kit/clock.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { until } from '../kit/until.ts'

/** The public mesh status of a node. */
export const status = (it: TestNode) => it.client.call('network.mesh-status', {})
/** What a node says of itself as a witness. */
export const witnessOf = (it: TestNode) => it.node.services.witness.status()
/** Whether somebody has cosigned the newest checkpoint of a node's seal log. */
export const isCosigned = async (it: TestNode): Promise<boolean> => ((await witnessOf(it)).logs[0]?.witnessed ?? 0) > 0
/** A start so many ticks after the first one: a clock does not go back. */
export const after = (ticks: number): bigint => START + BigInt(ticks) * TICK_NS

const keys = new WeakMap<TestNode, string>()
/** A demo key of a node, minted once. */
export const keyOf = async (it: TestNode): Promise<string> => {
  const key = keys.get(it) ?? (await it.client.call('economy.mint-demo-key', {})).key
  keys.set(it, key)
  return key
}
/** Seals one computation. @returns its token id. */
export const seal = async (it: TestNode): Promise<string> => {
  const answer = await it.as(await keyOf(it)).call('compute.compute', { operators: ['GR37'], inputs: { mass: 1 } })
  return answer.envelope?.token_id ?? ''
}

/** Starts a node that joins those given. */
export const joining = async (
  others: readonly TestNode[],
  more: Parameters<typeof testNode>[0] = {},
): Promise<TestNode> => {
  const addresses = await Promise.all(others.map(async (it) => (await status(it)).addresses[0] ?? ''))
  const settings = { 'p2p.enabled': true, bootstrap: addresses.join(','), ...more.settings }
  return testNode({ ...more, settings })
}

export const isJoined = async (it: TestNode, other: TestNode): Promise<boolean> =>
  (await status(it)).peers.some(({ node, connected }) => node === other.node.nodeId && connected)

/** Lets ticks pass until something holds. */
export const ticking = async <T>(
  nodes: readonly TestNode[],
  probe: () => Promise<T | undefined | false>,
  signal: AbortSignal,
) =>
  until(async () => {
    for (const it of nodes) await it.advanceTicks(1)
    return probe()
  }, signal)

/** The metrics of a node. */
export const scrape = async ({ url }: TestNode): Promise<string> => (await fetch(new URL('/metrics', url))).text()

/** Two copies of one data directory: one key, two histories. Removed by whoever made them. */
export const copies = (from: string): readonly [string, string] => {
  const [one, two] = [mkdtempSync(`${from}-`), mkdtempSync(`${from}-`)]
  for (const to of [one, two]) cpSync(from, to, { recursive: true })
  return [one, two]
}
