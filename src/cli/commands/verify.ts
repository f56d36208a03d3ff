import { command } from '#cli/command.ts'
import { trustOptions } from '#cli/trust-options.ts'

export const verify = command({
  path: 'verify',
  summary: 'Verify receipts offline, with no node; only an address that you name is fetched.',
  args: [
    {
      name: '<files...>',
      help: 'bundles, chains, receipts of tokens, saved pages, folders, addresses; - is stdin. The worst decides',
      choices: 'files',
    },
  ],
  options: [...trustOptions, { flags: '--replay', help: 'run the solver again and compare the bits' }],
  settings: 'none',
  // A re-run keeps the process busy; a signal must end it all the same.
  ownSignals: true,
  examples: [
    'tickmesh verify heat.json --key 12D3KooW…',
    'tickmesh verify receipts/ --key trusted.vkey --replay --json',
    'tickmesh verify "https://node.example/r/<token>#<nonce>" --key 12D3KooW…',
    'tickmesh envelopes bundle <token> | tickmesh verify - --key 12D3KooW…',
    'tickmesh verify moved.json again.json --key 12D3KooW…',
  ],

  async run(invocation) {
    const { verifyFiles } = await import('#cli/verify-files.ts') // with every solver, whose forms and runs it knows
    return verifyFiles(invocation)
  },
})
