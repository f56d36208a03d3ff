import type { Command } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'

const columns = ['slug', 'status', 'is_public', 'head.seq', 'head.tick', 'role', 'display_name']

/** What machines there are, what one is, and what is said of it. */
const lifecycle: readonly Command[] = [
  endpointCommand({
    path: 'machines list',
    endpoint: 'machines.list',
    list: ['machines', columns],
    examples: ['tickmesh machines list'],
  }),
  endpointCommand({
    path: 'machines create',
    endpoint: 'machines.create',
    words: ['slug'],
    secret: 'api_key',
    examples: [
      'tickmesh machines create pump-7 --is-public true --display-name "Pump 7"',
      'tickmesh machines create pump-7 --quiet > pump-7.key',
    ],
  }),
  endpointCommand({
    path: 'machines show',
    endpoint: 'machines.read',
    words: ['slug'],
    examples: ['tickmesh machines show pump-7'],
  }),
  endpointCommand({
    path: 'machines status',
    endpoint: 'machines.status',
    words: ['slug', 'status'],
    examples: ['tickmesh machines status pump-7 paused'],
  }),
  endpointCommand({
    path: 'machines settings',
    endpoint: 'machines.settings',
    words: ['slug'],
    examples: [
      'tickmesh machines settings pump-7 --display-name "Pump seven"',
      `echo '{"purpose":null}' | tickmesh machines settings pump-7 --data -`,
    ],
  }),
]

const blocks = ['seq', 'tickNumber', 'transitionType', 'stateHash', 'body']

/** The chain, read in every way that the node offers. */
const reads: readonly Command[] = [
  endpointCommand({
    path: 'machines at',
    endpoint: 'machines.at',
    words: ['slug', 'tick'],
    examples: ['tickmesh machines at pump-7 128', 'tickmesh machines at pump-7 --seq 3'],
  }),
  endpointCommand({
    path: 'machines explore',
    endpoint: 'machines.explore',
    words: ['slug'],
    list: ['rows', blocks],
    examples: ['tickmesh machines explore pump-7 --limit 100', 'tickmesh machines explore pump-7 --after 99'],
  }),
  endpointCommand({
    path: 'machines events',
    endpoint: 'machines.events',
    words: ['slug'],
    list: ['events', blocks],
    examples: ['tickmesh machines events pump-7 --event reading --since-tick 128'],
  }),
  endpointCommand({
    path: 'machines stats',
    endpoint: 'machines.stats',
    words: ['slug'],
    examples: ['tickmesh machines stats pump-7'],
  }),
  endpointCommand({
    path: 'machines analytics',
    endpoint: 'machines.analytics',
    words: ['slug'],
    examples: ['tickmesh machines analytics pump-7'],
  }),
  endpointCommand({
    path: 'machines sources',
    endpoint: 'machines.sources',
    words: ['slug'],
    examples: ['tickmesh machines sources pump-7'],
  }),
  endpointCommand({
    path: 'machines validate',
    endpoint: 'machines.validate',
    words: ['slug'],
    exit: ({ valid }) => (valid ? 0 : 3),
    examples: ['tickmesh machines validate pump-7', 'tickmesh machines validate pump-7 --from 100 --to 200'],
  }),
  endpointCommand({
    path: 'machines verify-anchor',
    endpoint: 'machines.verify-anchor',
    words: ['slug'],
    exit: ({ matches }) => (matches === false ? 3 : 0),
    examples: ['tickmesh machines verify-anchor pump-7', 'tickmesh machines verify-anchor pump-7 --id-hash 0c4f…'],
  }),
]

/** What everyone may see of the public machines. */
const feeds: readonly Command[] = [
  endpointCommand({
    path: 'machines active',
    endpoint: 'explorer.active',
    list: ['machines', ['transitions', ...columns.map((it) => `machine.${it}`)]],
    examples: ['tickmesh machines active --ticks 600'],
  }),
  endpointCommand({
    path: 'machines newest',
    endpoint: 'explorer.newest',
    list: ['machines', columns],
    examples: ['tickmesh machines newest --limit 10'],
  }),
  endpointCommand({
    path: 'machines recent',
    endpoint: 'explorer.recent',
    list: ['rows', ['slug', ...blocks]],
    examples: ['tickmesh machines recent --type event'],
  }),
  endpointCommand({
    path: 'machines fleet',
    endpoint: 'explorer.fleet',
    examples: ['tickmesh machines fleet'],
  }),
]

export const machines: readonly Command[] = [...lifecycle, ...reads, ...feeds]
