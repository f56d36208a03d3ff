import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex } from '#core/bytes.ts'
import { STATE_DIGEST_BYTES, stepsOf } from '#core/states.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { signWork } from '#core/work/work.ts'
import { keyFiles, readSecretFile } from '#domain/identity/node-keys.ts'
import type { ToldRequester } from '#domain/network/works/messages.ts'
import { ownerCaller } from '../domain/house.ts'
import { sealMany } from '../domain/network/contribution/kit.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { tempDir } from '../kit/temp.ts'
import { roomsOf } from '../kit/wealth.ts'
import { member, passing } from './token-kit.ts'
import { joining } from './witness-kit.ts'

/** The owner of a node. */
export const ownerOf = (it: TestNode) => ownerCaller(roomsOf(it))

/** Has a node's owner bond and contribute. @returns the name of the bond */
export const contributing = async (it: TestNode): Promise<string> => {
  const rooms = roomsOf(it)
  const owner = ownerCaller(rooms)
  if (owner.kind !== 'owner') throw new Error('the link is the owner')
  await sealMany(rooms, owner, { count: BOND_TOKENS, funding: 'paid' })
  const { contribution } = it.node.services
  const { bond } = await contribution.bond(owner, { count: BOND_TOKENS })
  await contribution.setMode(owner, 'contributing')
  return bond
}

/** Jobs that a node took and gave. */
export const worksOf = (it: TestNode) => {
  const rooms = roomsOf(it)
  return it.node.services.works.list(ownerCaller(rooms), { limit: 200, offset: 0 })
}

/** Has a node lie: what its runs for others went through differs in one state. */
export const lying = ({ node }: TestNode, state: number): void => {
  const { parts } = node.services.compute
  const { run } = parts
  const lie: typeof run = async (task, options) => {
    const parted = await run(task, options)
    if (parted.kind !== 'whole' || parted.states.length === 0) return parted
    const states = parted.states.with(state * STATE_DIGEST_BYTES, (parted.states[state * STATE_DIGEST_BYTES] ?? 0) ^ 1)
    const { steps, inputsDigest } = parts.sizeOf(task.name, task.inputs)
    const checked = { ...parted.checked, steps: stepsOf({ inputsDigest, steps: steps ?? 0, digests: states }) }
    return { ...parted, states, checked }
  }
  Object.assign(parts, { run: lie })
}

/** Has a node's owner bond, and do nothing for others. @returns the name of the bond */
export const bonded = async (it: TestNode): Promise<string> => {
  const bond = await contributing(it)
  const owner = ownerCaller(roomsOf(it))
  await it.node.services.contribution.setMode(owner, 'idle')
  return bond
}

/** Has a node sign another result than the one that it shows. */
export const lyingAtTheEnd = ({ node }: TestNode): void => {
  const { parts } = node.services.compute
  const { run } = parts
  const lie: typeof run = async (task, options) => {
    const parted = await run(task, options)
    return parted.kind === 'whole'
      ? { ...parted, checked: { ...parted.checked, resultDigest: 'f'.repeat(64) } }
      : parted
  }
  Object.assign(parts, { run: lie })
}

/** Has a node's runs for others never end by themselves. */
export const holding = ({ node }: TestNode): void => {
  const { parts } = node.services.compute
  const hold: typeof parts.run = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  Object.assign(parts, { run: hold })
}

/** Has a node never say one thing to those that it works for. */
export const silentAbout = ({ node }: TestNode, type: ToldRequester['type']): void => {
  const { links } = node.services.works
  const { tell } = links
  const said: typeof tell = async (to, message, signal) => {
    if (message.type !== type) await tell(to, message, signal)
  }
  Object.assign(links, { tell: said })
}

/** Disputes that a node knows of. */
export const disputesAt = ({ node }: TestNode) => node.services.disputes.list({ limit: 10, offset: 0 })

const bondsAt = async ({ node }: TestNode): Promise<number> => {
  let count = 0
  for await (const _ of node.store.range('bond')) count += 1
  return count
}

/** A policy of all logs whose witnesses are the last three nodes, and the nodes' directories. */
const policyFor = async (directories: readonly string[], file: string): Promise<void> => {
  const keys = []
  for (const directory of directories) {
    await using it = await testNode({ directory })
    keys.push((await it.client.call('identity.node', {})).vkeys)
  }
  const lines = [
    ...keys.map(({ log }) => `log ${log}`),
    ...keys.slice(-3).map(({ witness }, i) => `witness w${i} ${witness}`),
    'group two 2 w0 w1 w2',
    'quorum two',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
}

/**
 * A requester, a worker with a bond, and three nodes of which pools are made. All know each other's bonds.
 *
 * @param witnessed whether all go by a policy whose witnesses are those three.
 */
export const disputing = async (
  { witnessed = false, ...more }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => {
  await using opened = new AsyncDisposableStack()
  const directories = Array.from({ length: 5 }, () => opened.use(tempDir()).path)
  const policy = join(directories[0] ?? '', 'policy.txt')
  if (witnessed === true) await policyFor(directories, policy)
  const settings = { 'contribute.poolTicks': 0, ...(witnessed === true && { 'mesh.policy': policy }), ...more }
  const all: TestNode[] = []
  for (const directory of directories) {
    const begun =
      all.length === 0
        ? testNode({ directory, settings: { 'p2p.enabled': true, ...settings } })
        : joining(all, { directory, settings })
    all.push(opened.use(await begun))
  }
  const [a, b, ...pool] = all as [TestNode, TestNode, ...TestNode[]]
  const bond = await contributing(b)
  for (const it of pool) await bonded(it)
  const ann = await member(a)
  await passing(all, async () => (await Promise.all(all.map(bondsAt))).every((it) => it === 4), signal)
  await passing(all, async () => a.node.services.works.requester.candidates === 1, signal)
  const isFallen = (): boolean => all.every(({ node }) => node.store.peek('bond', bond)?.fallen != null)
  /** Offers a run, and waits until it has ended. */
  const offered = async (steps: number) => {
    const call = { route: 'kalman', input: { steps }, consent: true }
    const { id } = (await ann.client.call('network.contribute-offers', call)) as unknown as { readonly id: string }
    const ended = async () => {
      const view = await ann.client.call('compute.job', { id })
      return view.state === 'done' || view.state === 'failed' ? view.state : undefined
    }
    return passing(all, ended, signal)
  }
  const resources = opened.move()
  return { ...{ all, a, b, pool, bond, ann, offered, isFallen }, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Has a node sign a second work for each job, and say both. */
export const answeringTwice = ({ node, directory }: TestNode): void => {
  const seed = fromHex(readSecretFile(join(directory, keyFiles.identity)) ?? '')
  const { links } = node.services.works
  const { tell } = links
  const twice: typeof tell = async (to, message, signal) => {
    if (message.type === 'result') {
      const work = { ...message.work.work, result_digest: 'e'.repeat(64) }
      await tell(to, { ...message, work: signWork(seed, work) }, signal)
    }
    await tell(to, message, signal)
  }
  Object.assign(links, { tell: twice })
}
