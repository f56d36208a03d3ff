import { command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'

const whole = (value: string | boolean | undefined, fallback: number, name: string): number => {
  if (value === undefined) return fallback
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 0) throw new CliError(exits.usage, `${name} takes a whole number`)
  return number
}

export const envelopes = command({
  path: 'envelopes',
  summary: 'List envelopes, newest first.',
  args: [{ name: '[zid]', help: 'whose; your own when left out' }],
  options: [
    { flags: '--limit <n>', help: 'how many (default 20)' },
    { flags: '--offset <n>', help: 'how many to pass over' },
    { flags: '--query <text>', help: 'a token id, tick or hash, or the beginning of one' },
    { flags: '--folder <name>', help: 'only this folder; the empty text is Unfiled' },
  ],
  examples: ['tickmesh envelopes', 'tickmesh envelopes --folder heat --json'],

  async run(invocation) {
    const { io, args, options, signal } = invocation
    const { client } = connect(invocation)
    const zid = args[0] ?? (await client.call('economy.credits', {}, { signal })).zid
    const { query, folder } = options
    const page = await client.call(
      'economy.envelopes',
      {
        zid,
        limit: whole(options['limit'], 20, '--limit'),
        offset: whole(options['offset'], 0, '--offset'),
        ...(typeof query === 'string' && { q: query }),
        ...(typeof folder === 'string' && { folder }),
      },
      { signal },
    )
    present(io, page, () =>
      [
        table([
          ['token', 'kind', 'tick', 'face', 'funding', 'state', 'folder'],
          ...page.envelopes.map((it) => [
            it.token_id,
            it.kind,
            String(it.tick),
            String(it.face_value),
            it.funding,
            it.state,
            it.folder === '' ? 'Unfiled' : it.folder,
          ]),
        ]),
        `${page.envelopes.length} of ${page.total}`,
      ].join('\n'),
    )
    return exits.ok
  },
})
