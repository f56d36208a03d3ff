import { askChannelText, type ChannelText } from '#cli/channel-ask.ts'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { describe } from '#cli/describe.ts'
import { exits } from '#cli/exit.ts'
import { assertWritable, STDIN, writeWhole } from '#cli/files.ts'
import { readSecret, wholeOption } from '#cli/input.ts'
import { jsonText, present, printable } from '#cli/io.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { NodeRefusal } from '#gateway/client.ts'

const some = '0123456789abcdef0123456789abcdef'
const ID = /^[0-9a-f]{32}$/
const outOption = {
  flags: '--out <file>',
  help: 'save the output here, byte for byte, instead of printing it',
  choices: 'files',
} as const

/** The id that a word gives. @throws CliError for what is none. */
export const streamIdOf = (word: string | undefined): string => {
  if (word !== undefined && ID.test(word)) return word
  throw usageError(`"${word}" is no id of a stream`)
}

/** What an output in JSON says: the tick, its result, and its envelope. */
const saidBy = ({ contentType, text }: ChannelText): Readonly<Record<string, unknown>> | undefined => {
  if (!contentType.startsWith('application/json')) return undefined
  const value = JSON.parse(text) as unknown
  return typeof value === 'object' && value !== null && 'envelope' in value
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

const showOutput = ({ io, options: { out } }: Invocation, output: ChannelText): number => {
  const { contentType, text, sealed } = output
  if (typeof out === 'string') {
    writeWhole(out, text)
    present(io, { ok: true, saved: out, contentType, sealed }, () => `saved ${out} (${contentType})`)
    return exits.ok
  }
  const said = saidBy(output)
  if (io.json) {
    io.out(jsonText({ ok: true, contentType, sealed, output: said ?? text }))
    return exits.ok
  }
  const { envelope: _, ...tick } = said ?? {}
  io.out(printable(said === undefined ? text : describe(tick)))
  io.say(`sealed as ${sealed.token_id} at tick ${sealed.tick}; the receipt: ${sealed.verify}`)
  return exits.ok
}

const assertOut = ({ options: { out } }: Invocation): void => {
  if (typeof out === 'string') assertWritable(out)
}

const latest = command({
  path: 'streams latest',
  settings: 'node',
  summary: 'The newest output of a stream, as its format or its template makes it.',
  args: [{ name: '<id>', help: 'id of the stream' }],
  options: [outOption],
  examples: [`tickmesh streams latest ${some}`, `tickmesh streams latest ${some} --out radius.svg`],
  async run(invocation) {
    const id = streamIdOf(invocation.args[0])
    assertOut(invocation)
    const path = `/api/svc/streams/${id}/latest`
    return showOutput(invocation, await askChannelText(connect(invocation), path, invocation.signal))
  },
})

const link = command({
  path: 'streams link',
  settings: 'node',
  summary: 'Print an address that shows the newest output to whoever has it, for a day unless asked.',
  args: [{ name: '<id>', help: 'id of the stream' }],
  options: [
    { flags: '--seconds <n>', help: 'how long it opens the stream, 30 days at most' },
    { flags: '--ticks <n>', help: 'the same in mesh ticks' },
  ],
  examples: [`tickmesh streams link ${some} --seconds 3600`],
  async run(invocation) {
    const { io, args, options, signal } = invocation
    const id = streamIdOf(args[0])
    const seconds = wholeOption(options['seconds'], '--seconds')
    const ticks = wholeOption(options['ticks'], '--ticks')
    if (seconds !== undefined && ticks !== undefined) throw usageError('give --seconds or --ticks, one of them')
    const { client, url } = connect(invocation)
    const span = { ...(seconds !== undefined && { seconds }), ...(ticks !== undefined && { ticks }) }
    const found = await client.call('compute.stream-link', { id, ...span }, { signal })
    const address = new URL(found.path, url).href
    present(io, { ...found, ok: true, address }, () => address)
    io.say(`it opens the stream to whoever has it, until mesh tick ${found.expires_mesh_tick}`)
    return exits.ok
  },
})

/** Where a link leads, and the part of it that opens. @throws CliError for what is none. */
const linkOf = async (invocation: Invocation): Promise<{ readonly url: string; readonly path: string }> => {
  const { args, options, signal } = invocation
  const { sig } = options
  const word = args[0] === STDIN ? await readSecret(STDIN, signal) : (args[0] ?? '')
  if (typeof sig === 'string') {
    const path = `/api/svc/streams/${streamIdOf(word)}/pull?${new URLSearchParams({ sig })}`
    return { url: connect(invocation).url, path }
  }
  if (ID.test(word)) throw usageError('an id alone opens nothing; give --sig, or the whole address')
  if (word.startsWith('/')) return { url: connect(invocation).url, path: word }
  if (!URL.canParse(word) || !/^https?:$/.test(new URL(word).protocol)) {
    throw usageError('this is no address of a link; `streams link` prints one')
  }
  const { origin, pathname, search } = new URL(word)
  return { url: origin, path: `${pathname}${search}` }
}

const pull = command({
  path: 'streams pull',
  settings: 'node',
  summary: 'The newest output of a stream by a link, without a key; no key is shown to the node.',
  args: [{ name: '<link>', help: 'the address that `streams link` printed, or an id with --sig; - is stdin' }],
  options: [{ flags: '--sig <text>', help: 'the signature of the link, where the word is an id' }, outOption],
  examples: [
    `tickmesh streams pull "http://127.0.0.1:7770/api/svc/streams/${some}/pull?sig=…"`,
    `tickmesh streams pull ${some} --sig eyJj… --out radius.csv`,
  ],
  async run(invocation) {
    assertOut(invocation)
    const { url, path } = await linkOf(invocation)
    try {
      return showOutput(invocation, await askChannelText({ url }, path, invocation.signal))
    } catch (error) {
      // A key would be no help here, which is what other commands advise.
      if (!(error instanceof NodeRefusal) || error.status !== 401) throw error
      const { code, message } = error
      throw new CliError(exits.failure, `${code}: the link opens nothing: ${message}`, { code })
    }
  },
})

/** What is read of a stream. */
export const streamsRead: readonly Command[] = [latest, link, pull]
