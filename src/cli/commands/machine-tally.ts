import { type Command, command, type Invocation } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { describe } from '#cli/describe.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { exits } from '#cli/exit.ts'
import { readBounded } from '#cli/files.ts'
import { wholeOption } from '#cli/input.ts'
import { present } from '#cli/io.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { trustOptions } from '#cli/trust-options.ts'
import { mintPer } from '#core/token-ranges.ts'

const SLUG = { name: '<slug>', help: 'Slug of the machine.', choices: 'machines' } as const
/** Bytes of a picture: the node takes no more. */
const PICTURE_BYTES_MAX = 262_144

const isPer = (word: unknown): word is (typeof mintPer)[number] => (mintPer as readonly unknown[]).includes(word)

/** The rate that options say; undefined when they say none. @throws CliError for half a rate */
const rateOf = ({ options }: Invocation) => {
  const { per, off } = options
  const amount = wholeOption(options['amount'], '--amount')
  const every = wholeOption(options['every'], '--every')
  const some = amount !== undefined || per !== undefined || every !== undefined
  if (off === true) {
    if (some) throw usageError('--off stands alone')
    return { every: null }
  }
  if (!some) return undefined
  if (amount === undefined || every === undefined || !isPer(per)) {
    throw usageError(`a rate is --amount <n> --per ${mintPer.join('|')} --every <n>, or --off`)
  }
  return { amount, per, every }
}

const mintRate = command({
  path: 'machines tally mint-rate',
  settings: 'node',
  summary: 'How a token is minted by itself; with a rate it is set, by the owner of the machine.',
  args: [SLUG],
  options: [
    { flags: '--amount <n>', help: 'units that one mint issues' },
    { flags: '--per <what>', help: 'what mints: fires that transition, or ticks of the mesh', choices: mintPer },
    { flags: '--every <n>', help: 'each so many-th of them' },
    { flags: '--off', help: 'nothing is minted from now on' },
  ],
  examples: [
    'tickmesh machines tally mint-rate pump-7',
    'tickmesh machines tally mint-rate pump-7 --amount 5 --per ticks --every 100',
    'tickmesh machines tally mint-rate pump-7 --off',
  ],
  async run(invocation) {
    const { io, args, signal } = invocation
    const [slug = ''] = args
    const rate = rateOf(invocation)
    const { client } = connect(invocation)
    const found =
      rate === undefined
        ? await client.call('machines.mint-rate', { slug }, { signal })
        : await client.call('machines.set-mint-rate', { slug, ...rate }, { signal })
    present(io, found, () => describe(found))
    return exits.ok
  },
})

const avatar = command({
  path: 'machines tally avatar',
  settings: 'node',
  summary: "Gives a token a picture, which rests sealed under the machine's data key.",
  args: [SLUG, { name: '[file]', help: 'PNG, JPEG or WebP of at most 262,144 bytes; - is stdin', choices: 'files' }],
  options: [{ flags: '--remove', help: 'take the picture away' }],
  examples: ['tickmesh machines tally avatar pump-7 pump.png', 'tickmesh machines tally avatar pump-7 --remove'],
  async run(invocation) {
    const { io, args, options, signal } = invocation
    const [slug = '', file] = args
    if ((file === undefined) !== (options['remove'] === true)) throw usageError('give a file, or --remove')
    const bytes = file === undefined ? undefined : await readBounded(file, PICTURE_BYTES_MAX, signal)
    if (file !== undefined && bytes === undefined) {
      const message = `${file} is larger than ${PICTURE_BYTES_MAX} bytes`
      throw new CliError(exits.failure, message, { code: 'INPUT_TOO_LARGE' })
    }
    const image = bytes === undefined ? null : Buffer.from(bytes).toString('base64')
    const found = await connect(invocation).client.call('machines.token-avatar', { slug, image }, { signal })
    present(io, found, () => describe(found))
    return exits.ok
  },
})

const verify = command({
  path: 'machines tally verify',
  settings: 'node',
  summary: 'Adds a token up again from its chain alone: offline from an exported file, or at the node.',
  args: [{ name: '<file>', help: 'a chain of `machines export`; - is stdin. A slug asks the node', choices: 'files' }],
  options: trustOptions,
  examples: [
    'tickmesh machines tally verify pump-7.chain --key node.key',
    'tickmesh machines tally verify pump-7',
    'tickmesh machines export pump-7 | tickmesh machines tally verify - --key node.key',
  ],
  async run(invocation) {
    const { verifyTally } = await import('#cli/verify-tally.ts')
    return verifyTally(invocation)
  },
})

/** A machine's token: what it is, who has which units of it, how it is minted, and that it adds up. */
export const machineTally: readonly Command[] = [
  endpointCommand({
    path: 'machines tally create',
    endpoint: 'machines.token-genesis',
    words: ['slug', 'name', 'symbol', 'max_supply'],
    question: ({ slug, symbol, max_supply }) =>
      `Make ${symbol} the token of ${slug} for good, with ${max_supply} units?`,
    examples: ['tickmesh machines tally create pump-7 "Litres pumped" LITRE 1000000 --initial 1000 --yes'],
  }),
  endpointCommand({
    path: 'machines tally show',
    endpoint: 'machines.token',
    words: ['slug'],
    examples: ['tickmesh machines tally show pump-7', 'tickmesh machines tally show pump-7 --avatar true --json'],
  }),
  endpointCommand({
    path: 'machines tally describe',
    endpoint: 'machines.set-token',
    words: ['slug', 'description'],
    examples: ['tickmesh machines tally describe pump-7 "One for each litre"'],
  }),
  endpointCommand({
    path: 'machines tally supply',
    endpoint: 'machines.token-supply',
    words: ['slug'],
    examples: ['tickmesh machines tally supply pump-7'],
  }),
  endpointCommand({
    path: 'machines tally tokens',
    endpoint: 'machines.tokens',
    words: ['slug'],
    list: ['ranges', ['first', 'last', 'count', 'owner', 'seq']],
    examples: ['tickmesh machines tally tokens pump-7', 'tickmesh machines tally tokens pump-7 --owner zid1…'],
  }),
  endpointCommand({
    path: 'machines tally token',
    endpoint: 'machines.token-unit',
    words: ['slug', 'tokenId'],
    examples: ['tickmesh machines tally token pump-7 42'],
  }),
  mintRate,
  avatar,
  verify,
]
