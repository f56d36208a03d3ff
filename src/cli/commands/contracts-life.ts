import type { Command } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'

const columns = ['id', 'name', 'status', 'state', 'version_no', 'next', 'fire_count']
const which = 'pump-7 00112233445566778899aabbccddeeff'

/** Where contracts stand, what comes next, and what starts, stops and ends them. */
export const contractsLife: readonly Command[] = [
  endpointCommand({
    path: 'contracts list',
    endpoint: 'contracts.list',
    words: ['slug'],
    list: ['contracts', columns],
    examples: ['tickmesh contracts list pump-7', 'tickmesh contracts list pump-7 --status live'],
  }),
  endpointCommand({
    path: 'contracts show',
    endpoint: 'contracts.read',
    words: ['slug', 'id'],
    examples: [`tickmesh contracts show ${which}`, `tickmesh contracts show ${which} --tick 128`],
  }),
  endpointCommand({
    path: 'contracts pause',
    endpoint: 'contracts.pause',
    words: ['slug', 'id'],
    examples: [`tickmesh contracts pause ${which}`],
  }),
  endpointCommand({
    path: 'contracts resume',
    endpoint: 'contracts.resume',
    words: ['slug', 'id'],
    examples: [`tickmesh contracts resume ${which}`],
  }),
  endpointCommand({
    path: 'contracts freeze',
    endpoint: 'contracts.freeze',
    words: ['slug', 'id'],
    question: ({ slug, id }) => `End the contract ${id} of ${slug} for good?`,
    examples: [`tickmesh contracts freeze ${which} --yes`],
  }),
  endpointCommand({
    path: 'contracts skip-next',
    endpoint: 'contracts.skip-next',
    words: ['slug', 'id'],
    examples: [`tickmesh contracts skip-next ${which}`],
  }),
  endpointCommand({
    path: 'contracts next-fires',
    endpoint: 'contracts.next-fires',
    words: ['slug', 'id'],
    list: ['fires', ['at', 'tick', 'kind', 'due', 'skipped']],
    examples: [`tickmesh contracts next-fires ${which} --limit 20`],
  }),
  endpointCommand({
    path: 'contracts versions',
    endpoint: 'contracts.versions',
    words: ['slug', 'id'],
    list: ['versions', ['no', 'version', 'tick', 'by', 'of']],
    examples: [`tickmesh contracts versions ${which}`],
  }),
  endpointCommand({
    path: 'contracts export',
    endpoint: 'contracts.export',
    words: ['slug', 'id'],
    text: ({ contract }) => JSON.stringify(contract, null, 2),
    examples: [`tickmesh contracts export ${which} > pump.contract.json`],
  }),
]
