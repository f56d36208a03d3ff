import type { TestNode } from '../../kit/node.ts'

/** Counts once every ten ticks, and when it is asked to; may be stopped by an event. */
export const counter = {
  v: 1,
  name: 'Counter',
  context: { n: { type: 'integer', initial: 0, min: 0, max: 1_000 }, label: { type: 'text', initial: 'none' } },
  events: { bump: { data: { by: { type: 'integer' } } }, stop: { data: {} } },
  windows: { bumps: { event: 'bump', fn: 'count', ticks: 600 } },
  states: { counting: { initial: true }, stopped: { terminal: true } },
  transitions: [
    {
      id: 'tick',
      from: 'counting',
      to: 'counting',
      trigger: { kind: 'recurring', every_ticks: 10 },
      actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
    },
    {
      id: 'bump',
      from: 'counting',
      to: 'counting',
      trigger: { kind: 'event', event: 'bump' },
      actions: [{ kind: 'set', n: { $: 'context.n + event.data.by' } }],
    },
    { id: 'stop', from: 'counting', to: 'stopped', trigger: { kind: 'event', event: 'stop' } },
  ],
} as const

/** The counter by twos, with a state and a member more. */
export const byTwos = {
  ...counter,
  name: 'By twos',
  context: { ...counter.context, step: { type: 'integer', initial: 2 } },
  states: { ...counter.states, resting: {} },
  transitions: [
    { ...counter.transitions[0], actions: [{ kind: 'set', n: { $: 'context.n + context.step' } }] },
    ...counter.transitions.slice(1),
    { id: 'rest', from: 'counting', to: 'resting', trigger: { kind: 'after', ticks: 500 } },
  ],
} as const

/** What no machine has: a state and members that the counter has not. */
export const elsewhere = {
  v: 1,
  name: 'Elsewhere',
  context: { n: { type: 'integer', initial: 5, min: 5 }, label: { type: 'boolean', initial: false } },
  states: { here: { initial: true } },
  transitions: [{ id: 'stay', from: 'here', to: 'here', trigger: { kind: 'cron', expression: '0 6 * * *' } }],
} as const

/** Tells an address, with a secret in header and body. */
export const teller = {
  v: 1,
  name: 'Teller',
  states: { on: { initial: true } },
  transitions: [
    {
      id: 'tell',
      from: 'on',
      to: 'on',
      trigger: { kind: 'recurring', every_ticks: 100 },
      actions: [
        {
          kind: 'notify',
          url: 'https://hooks.example.org/pump',
          headers: { Authorization: 'Bearer {{secret.token}}' },
          body: { text: 'on', key: '{{secret.body_key}}' },
        },
      ],
    },
  ],
} as const

/** Keys by whose they are, of the machines `shut` and `open`, which belong to `owner`; `member` has a role in both. */
export const stageOf = async (node: TestNode) => {
  const account = async () => node.client.call('identity.sign-up', {})
  const [owner, member, stranger] = [await account(), await account(), await account()]
  const asOwner = node.as(owner.api_key)
  await asOwner.call('machines.create', { slug: 'shut' })
  await asOwner.call('machines.create', { slug: 'open', is_public: true })
  for (const slug of ['shut', 'open']) {
    await asOwner.call('identity.machine-add-admin', { slug, zid: member.zid, role: 'viewer' })
  }
  const keyOf = async (scope: 'read' | 'write' | 'admin') =>
    (await asOwner.call('identity.machine-make-key', { slug: 'shut', name: scope, scope })).api_key
  return {
    zid: owner.zid,
    /** Gives `member` another role in both machines. */
    makeMember: async (role: 'admin' | 'operator' | 'viewer') => {
      for (const slug of ['shut', 'open']) {
        await asOwner.call('identity.machine-change-admin', { slug, zid: member.zid, role })
      }
    },
    keys: {
      owner: owner.api_key,
      member: member.api_key,
      stranger: stranger.api_key,
      readKey: await keyOf('read'),
      writeKey: await keyOf('write'),
      adminKey: await keyOf('admin'),
    },
  }
}

/** Code of the refusal that a call gets, or `ok`. */
export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'ok'
  } catch (refusal) {
    return (refusal as { readonly code: string }).code
  }
}

const tables = [
  'contract',
  'contractOf',
  'contractByNumber',
  'contractVersion',
  'contractZone',
  'contractDue',
  'contractWatch',
  'contractFire',
  'contractSecret',
  'machineHead',
] as const

/** Everything that a contract's life leaves behind: its rows and indexes, the heads of the chains, and what accounts have. */
export const leftIn = async ({ node: { store } }: TestNode): Promise<string> => {
  const rows: unknown[] = [store.supply('credits')]
  for (const table of tables) for await (const [key, row] of store.range(table)) rows.push([table, key, row])
  return JSON.stringify(rows)
}

/** What stands in an index, with the rows that it has to be of. */
export const indexOf = async (
  { node: { store } }: TestNode,
  table: 'contractDue' | 'contractWatch' | 'contractOf' | 'contractByNumber',
): Promise<readonly string[]> => {
  const keys: string[] = []
  for await (const [key, id] of store.range(table)) keys.push(`${key} ${id}`)
  return keys
}
