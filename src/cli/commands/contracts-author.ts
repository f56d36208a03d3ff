import type { Command, Invocation } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { readJsonFile } from '#cli/input.ts'

const slug = { name: '<slug>', help: 'slug of the machine', choices: 'machines' } as const
const id = { name: '<id>', help: 'id of the contract, as `contracts list` shows it' } as const
const file = (help: string) => ({ name: '[file]', help: `${help}; - or nothing is stdin`, choices: 'files' }) as const
const ifMatch = {
  flags: '--if-match <version>',
  help: 'digest or number of the version that this goes by: with another one nothing is done',
} as const

type Input = { [name: string]: unknown }

const readFile = (name: string | undefined, { signal }: Invocation): Promise<Input> =>
  readJsonFile(name === undefined || name === '-' ? '-' : `@${name}`, signal)

/** What a person wants to know of a contract that was made or changed. */
const made = ({ contract }: { readonly contract: Readonly<Record<string, unknown>> }): string =>
  ['id', 'name', 'status', 'state', 'version_no', 'version'].map((name) => `${name}  ${contract[name]}`).join('\n')

/** Making contracts, and giving them other definitions. */
export const contractsAuthor: readonly Command[] = [
  endpointCommand({
    path: 'contracts create',
    endpoint: 'contracts.custom',
    words: ['slug', 'definition'],
    args: [slug, file('the definition as JSON')],
    prepare: async (input, invocation) => {
      const [name, path] = invocation.args
      return { ...input, slug: name, definition: await readFile(path, invocation) }
    },
    text: made,
    examples: [
      'tickmesh contracts create pump-7 pump.json --start true',
      'tickmesh contracts create pump-7 pump.json --secrets @secrets.json',
    ],
  }),
  endpointCommand({
    path: 'contracts deploy',
    endpoint: 'contracts.create',
    words: ['slug', 'template'],
    text: made,
    examples: [`tickmesh contracts deploy pump-7 heartbeat --parameters '{"silence":"5 min"}' --start true`],
  }),
  endpointCommand({
    path: 'contracts import',
    endpoint: 'contracts.import',
    words: ['slug', 'contract'],
    args: [slug, file('the file that `contracts export` gave')],
    prepare: async (input, invocation) => {
      const [name, path] = invocation.args
      const read = await readFile(path, invocation)
      return { ...input, slug: name, contract: read['contract'] ?? read }
    },
    text: made,
    examples: ['tickmesh contracts import pump-8 pump.contract.json --secrets @secrets.json'],
  }),
  endpointCommand({
    path: 'contracts patch',
    endpoint: 'contracts.patch',
    words: ['slug', 'id', 'definition'],
    args: [slug, id, { ...file('the definition as JSON'), help: 'the definition as JSON; - is stdin' }],
    options: [ifMatch],
    prepare: async (input, invocation) => {
      const [name, contract, path] = invocation.args
      const definition = path === undefined ? {} : { definition: await readFile(path, invocation) }
      return { ...input, slug: name, id: contract, ...definition }
    },
    text: made,
    examples: [
      'tickmesh contracts patch pump-7 00112233445566778899aabbccddeeff pump.json --if-match 3',
      `tickmesh contracts patch pump-7 00112233445566778899aabbccddeeff pump.json --migrate '{"state":"idle"}'`,
    ],
  }),
  endpointCommand({
    path: 'contracts rollback',
    endpoint: 'contracts.rollback',
    words: ['slug', 'id', 'version'],
    options: [ifMatch],
    text: made,
    examples: ['tickmesh contracts rollback pump-7 00112233445566778899aabbccddeeff 2'],
  }),
]
