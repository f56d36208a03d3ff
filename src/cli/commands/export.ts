import { command } from '#cli/command.ts'

export const exportReceipts = command({
  path: 'export',
  summary: 'Write your receipts into a folder that anyone can verify, with the verifier in one file and how to use it.',
  args: [{ name: '<directory>', help: 'made if it is not there; receipts that stand in it already are kept' }],
  options: [
    { flags: '--limit <n>', help: 'only the newest so many; all when left out' },
    { flags: '--kind <kind>', help: 'only of this solver, or `compute`', choices: 'solvers' },
  ],
  examples: ['tickmesh export receipts', 'tickmesh export for-anna --kind heat --limit 10'],

  async run(invocation) {
    const { exportInto } = await import('#cli/export-folder.ts')
    return exportInto(invocation)
  },
})
