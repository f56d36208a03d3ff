import assert from 'node:assert/strict'
import type { ChannelHappening } from '#domain/channels/feed.ts'
import type { Client } from '#gateway/client.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { TestNode } from '../../kit/node.ts'

/** A closed form that is sealed at once: the Schwarzschild radius of a mass. */
export const RADIUS = { operators: ['GR37'], inputs: { mass: 1.98892e30 } } as const

/** An account with credits. */
export const accountOf = async (it: TestNode): Promise<{ client: Client; key: string; zid: string }> => {
  const { api_key: key, zid } = await it.client.call('identity.sign-up', {})
  return { client: it.as(key), key, zid }
}

/** Everything that channels tell, from now on. */
export const heardFrom = ({ node }: TestNode): readonly ChannelHappening[] => {
  const heard: ChannelHappening[] = []
  node.services.channels.feed.listen((it) => void heard.push(it))
  return heard
}

/** Lets mesh ticks pass one by one, each with all that channels do in it. */
export const tickBy = async (it: TestNode, ticks: number): Promise<void> => {
  for (let i = 0; i < ticks; i++) {
    await it.advanceTicks(1)
    await it.node.services.channels.idle()
  }
}

/** Entries of a chain of some type, oldest first. */
export const entriesOf = async (it: TestNode, type: string) => {
  const found: Readonly<Record<string, unknown>>[] = []
  for await (const [, { entry }] of it.node.store.range('machineEntry')) {
    if (entry.type === type) found.push(entry.body as Readonly<Record<string, unknown>>)
  }
  return found
}

/** The code of a refusal, or `ok`. */
export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'ok'
  } catch (cause) {
    return (cause as { readonly code?: string }).code ?? String(cause)
  }
}

/** What the check of a whole store says, once its node has ended. */
export const soundStore = async (directory: string): Promise<void> => {
  const report = await fsck({ directory })
  assert.deepEqual([report.ok, report.bad], [true, null])
}
