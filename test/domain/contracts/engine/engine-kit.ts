import type { FireRow } from '#core/contract/fire-row.ts'
import { under } from '#store/layout.ts'
import { type TestNode, type TestNodeOptions, testNode } from '../../../kit/node.ts'

/** Fires of a row, of any outcome. */
export type Outcome = Extract<FireRow, { readonly outcome: 'fired' | 'refused' | 'failed' }>

/** A contract that counts by a trigger; more of it may be said. */
export const counting = (trigger: object, more: object = {}) => ({
  v: 1,
  name: 'Counting',
  context: { n: { type: 'integer', initial: 0 } },
  states: { on: { initial: true } },
  transitions: [{ id: 'count', from: 'on', to: 'on', trigger, actions: [{ kind: 'set', n: { $: 'context.n + 1' } }] }],
  ...more,
})

/** A node with an account that has a public machine `open` and a private one `shut`. */
export const stage = async (options: TestNodeOptions = {}) => {
  const it = await testNode(options)
  const account = await it.client.call('identity.sign-up', {})
  const owner = it.as(account.api_key)
  await owner.call('machines.create', { slug: 'open', is_public: true })
  await owner.call('machines.create', { slug: 'shut' })
  return { it, owner, zid: account.zid, key: account.api_key }
}

/** Moves the clock on tick by tick, and has everything that is due come to its end. */
export const pass = async ({ node, advanceTicks }: TestNode, ticks: number, by = 1): Promise<void> => {
  for (let i = 0; i < ticks; i += by) {
    await advanceTicks(by)
    await node.services.contracts.idle()
  }
}

/** The rows of a contract's audit as they are stored. */
export const rowsOf = async ({ node: { store } }: TestNode, id: string): Promise<readonly FireRow[]> => {
  const rows: FireRow[] = []
  for await (const [, row] of store.range('contractFire', under(id))) rows.push(row)
  return rows
}

/** Those of fires that were decided. */
export const firesOf = async (it: TestNode, id: string): Promise<readonly Outcome[]> =>
  (await rowsOf(it, id)).filter((row): row is Outcome => ['fired', 'refused', 'failed'].includes(row.outcome))

/** Entries of a type in a machine's chain. */
export const entriesOf = async ({ node: { store } }: TestNode, slug: string, type: string) => {
  const found = []
  for await (const [, { entry }] of store.range('machineEntry', under(slug))) if (entry.type === type) found.push(entry)
  return found
}
