import { command } from '#cli/command.ts'

/** `tickmesh contracts next PATTERN`: when a pattern of cron is due. */
export const contractsNext = command({
  path: 'contracts next',
  settings: 'none',
  summary: 'List when a pattern of cron is due next, in its zone and in yours, with gaps and repeated hours marked.',
  args: [{ name: '<pattern>', help: 'minute hour day month weekday, in quotes: "0 9 * * MON-FRI"' }],
  options: [
    { flags: '--zone <name>', help: 'the zone whose clock it goes by, such as Europe/Berlin; UTC unless said' },
    { flags: '--count <n>', help: 'how many, at most 1000; 10 unless said' },
    { flags: '--from <instant>', help: 'after this instant, ISO 8601 with its zone or Unix seconds; now unless said' },
    {
      flags: '--table <file>',
      help: 'the zone as a table, such as a contract pins: `table` of an answer with --json. - is stdin',
      choices: 'files',
    },
  ],
  examples: [
    'tickmesh contracts next "0,30 2 * * *" --zone Europe/Berlin --from 2027-03-27T00:00:00Z',
    'tickmesh contracts next "0 9 1 * *" --zone America/New_York --count 12 --json',
  ],
  async run(invocation) {
    const { showNextFires } = await import('#cli/next-fires.ts')
    return showNextFires(invocation)
  },
})
