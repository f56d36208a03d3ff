import { accessSync, constants, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { wholeOption } from '#cli/input.ts'
import { jsonText, present, table } from '#cli/io.ts'

const LIMIT = 20

const list = command({
  path: 'envelopes',
  settings: 'node',
  summary: 'List envelopes, newest first; `envelopes bundle` fetches the evidence of one, `envelopes send` moves it.',
  args: [{ name: '[zid]', help: 'whose; your own when left out' }],
  options: [
    { flags: '--limit <n>', help: `how many (default ${LIMIT})` },
    { flags: '--offset <n>', help: 'how many to pass over' },
    { flags: '--query <text>', help: 'a token id, tick or hash, or the beginning of one' },
    { flags: '--folder <name>', help: 'only this folder; the empty text is Unfiled' },
    { flags: '--movable', help: 'only what can be sent now' },
  ],
  examples: ['tickmesh envelopes', 'tickmesh envelopes --folder heat --json'],

  async run(invocation) {
    const { io, args, options, signal } = invocation
    const limit = wholeOption(options['limit'], '--limit') ?? LIMIT
    const offset = wholeOption(options['offset'], '--offset') ?? 0
    const { client } = connect(invocation)
    const zid = args[0] ?? (await client.call('economy.credits', {}, { signal })).zid
    const { query, folder, movable } = options
    const only = {
      ...(typeof query === 'string' && { q: query }),
      ...(typeof folder === 'string' && { folder }),
      ...(movable === true && { movable }),
    }
    const page = await client.call('economy.envelopes', { zid, limit, offset, ...only }, { signal })
    const head = ['token', 'kind', 'tick', 'face', 'funding', 'state', 'sent?', 'folder']
    const rows = page.envelopes.map(({ token_id, kind, tick, face_value, funding, state, immovable, folder: at }) => {
      const place = at === '' ? 'Unfiled' : at
      return [token_id, kind, String(tick), String(face_value), funding, state, immovable ?? 'can be', place]
    })
    present(io, page, () => [table([head, ...rows]), `${rows.length} of ${page.total}`].join('\n'))
    return exits.ok
  },
})

const bundle = command({
  path: 'envelopes bundle',
  settings: 'node',
  summary: 'Print the bundle of an envelope: all that `tickmesh verify` needs beside a trusted key.',
  args: [{ name: '<token>', help: 'id of the envelope', choices: 'tokens' }],
  options: [{ flags: '--out <file>', help: 'save it here instead of printing it' }],
  examples: ['tickmesh envelopes bundle 0123456789abcdef0123456789abcdef --out heat.json'],

  async run(invocation) {
    const { io, args, options, signal } = invocation
    const [token = ''] = args
    const { out } = options
    if (typeof out === 'string') accessSync(dirname(out), constants.W_OK)
    const { fetchBundle } = await import('#cli/run-job.ts')
    const found = await fetchBundle(connect(invocation).client, token, signal)
    if (typeof out === 'string') {
      writeFileSync(out, `${JSON.stringify(found)}\n`)
      present(io, { ok: true, token_id: token, saved: out }, () => `saved ${out}`)
    } else {
      const text = io.json ? jsonText({ ok: true, token_id: token, bundle: found }) : JSON.stringify(found)
      io.out(text)
    }
    return exits.ok
  },
})

const plot = command({
  path: 'envelopes plot',
  settings: 'node',
  summary: 'Save a plot of a sealed result, or its numbers; or draw it in the terminal.',
  args: [
    { name: '<token>', help: 'id of the envelope', choices: 'tokens' },
    {
      name: '[file]',
      help: 'where to: .svg, .png, or .csv for the numbers; - or nothing: in the terminal',
      choices: 'files',
    },
  ],
  options: [{ flags: '--index <n>', help: 'which plot of the solver; 0, the most telling one, when left out' }],
  examples: [
    'tickmesh envelopes plot 0123456789abcdef0123456789abcdef',
    'tickmesh envelopes plot 0123456789abcdef0123456789abcdef heat.png',
  ],

  async run(invocation) {
    const { io, args, options, signal } = invocation
    const [token = '', file = '-'] = args
    const { plotOrder, savePlot } = await import('#cli/plot-file.ts')
    const order = plotOrder(file, options['index'])
    const { client } = connect(invocation)
    if (order.format === 'terminal') {
      const { drawInTerminal } = await import('#cli/plot-terminal.ts')
      await drawInTerminal(io, client, { token, index: order.index, signal })
      return exits.ok
    }
    await savePlot(client, token, order, signal)
    present(io, { ok: true, token_id: token, saved: file }, () => `saved ${file}`)
    return exits.ok
  },
})

export const envelopes: readonly Command[] = [list, bundle, plot]
