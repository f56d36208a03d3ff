import { command } from '#cli/command.ts'

/** `tickmesh contracts simulate FILE`: what a definition would do. */
export const contractsSimulate = command({
  path: 'contracts simulate',
  settings: 'none',
  summary: 'Simulate a definition: what its clock and your events make of it, without a node; nothing is written.',
  args: [{ name: '[file]', help: 'the definition as JSON; - or nothing is stdin', choices: 'files' }],
  options: [
    {
      flags: '--events <file>',
      help: 'JSON lines {in or tick, event, data, from?}, {…, transition} or {…, now: true}; - is stdin',
      choices: 'files',
    },
    { flags: '--readings <file>', help: 'JSON lines {in or tick, oracle, value}: what oracles give', choices: 'files' },
    { flags: '--until <when>', help: 'so many ticks, or an instant, ISO 8601 with its zone; a day unless said' },
    { flags: '--from <when>', help: 'an instant, or a mesh tick; now unless said' },
    { flags: '--stub', help: 'run no computation: each passes, and binds nothing' },
  ],
  examples: [
    'tickmesh contracts simulate pump.json --events day.jsonl --from 2027-01-01T00:00:00Z',
    'tickmesh contracts simulate nightly.json --until 2028-01-01T00:00:00Z --stub --json',
  ],
  async run(invocation) {
    const { simulateContract } = await import('#cli/simulate-contract.ts')
    return simulateContract(invocation)
  },
})
