import { command } from '#cli/command.ts'

export const recheck = command({
  path: 'recheck',
  summary: 'Compute receipts again with the solvers of this release, and print old value, new value, difference.',
  args: [{ name: '<directory>', help: 'the bundles in it that end in .json', choices: 'files' }],
  options: [],
  settings: 'none',
  // A re-run keeps the process busy; a signal must end it all the same.
  ownSignals: true,
  examples: ['tickmesh recheck receipts', 'tickmesh recheck receipts --json'],

  async run(invocation) {
    const { recheckFiles } = await import('#cli/recheck-files.ts') // with every solver
    return recheckFiles(invocation)
  },
})
