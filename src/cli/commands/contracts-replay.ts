import { command } from '#cli/command.ts'
import { trustOptions } from '#cli/trust-options.ts'

/** `tickmesh contracts replay FILE`: an exported contract, decided again. */
export const contractsReplay = command({
  path: 'contracts replay',
  settings: 'none',
  summary: 'Decide and compute every fire of an exported contract again, offline, and name the first that differs.',
  args: [{ name: '[file]', help: 'the export of a contract; - or nothing is stdin', choices: 'files' }],
  options: trustOptions,
  // Computing again keeps the process busy; a signal must end it all the same.
  ownSignals: true,
  examples: [
    'tickmesh contracts replay pump.export.json --key 12D3KooW…',
    'tickmesh contracts replay - --key trusted.vkey --json < pump.export.json',
  ],
  async run(invocation) {
    const { replayExport } = await import('#cli/replay-contract.ts')
    return replayExport(invocation)
  },
})
