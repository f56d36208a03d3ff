import { command } from '#cli/command.ts'
import { trustOptions } from '#cli/trust-options.ts'

export const verify = command({
  path: 'verify',
  summary: 'Verify receipts offline: no network, no node.',
  args: [
    {
      name: '<files...>',
      help: 'bundles, or chains of machines; - is stdin. The worst of them decides the exit code',
      choices: 'files',
    },
  ],
  options: [...trustOptions, { flags: '--replay', help: 'run the solver again and compare the bits' }],
  settings: 'none',
  // A re-run keeps the process busy; a signal must end it all the same.
  ownSignals: true,
  examples: ['tickmesh verify heat.json --key 12D3KooW…', 'tickmesh verify *.json --key trusted.vkey --replay --json'],

  async run(invocation) {
    const { verifyFiles } = await import('#cli/verify-files.ts') // with every solver, whose forms and runs it knows
    return verifyFiles(invocation)
  },
})
