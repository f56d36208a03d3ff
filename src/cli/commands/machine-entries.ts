import { basename } from 'node:path'
import type { Command, Invocation } from '#cli/command.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { digestFile } from '#cli/files.ts'
import { usageError } from '#cli/problem.ts'

const recorded = ({
  slug,
  seq,
  transitionType,
  tickNumber,
  hash,
}: {
  readonly slug: string
  readonly seq: number
  readonly transitionType: string
  readonly tickNumber: number
  readonly hash: string
}): string => `${slug}:${seq}  ${transitionType}  tick ${tickNumber}  ${hash}`

type Input = { [name: string]: unknown }

/** The second word of the call is a file of this machine, which is hashed here and stays here. */
const hashed = async (input: Input, { args, signal }: Invocation, member: string): Promise<Input> => {
  const [slug, file] = args
  const given = { ...input, ...(slug !== undefined && { slug }) }
  if (file === undefined) return given
  if (Object.hasOwn(input, member)) throw usageError(`give a file or its hash, one of them`)
  const { hash, bytes } = await digestFile(file, signal)
  const about = member === 'hash' ? { bytes, ...(file !== '-' && { name: basename(file) }) } : {}
  return { ...about, ...given, [member]: hash }
}

const slugAndFile: NonNullable<Command['args']> = [
  { name: '<slug>', help: 'Slug of the machine.', choices: 'machines' },
  { name: '[file]', help: 'hashed here (SHA-256); it stays where it is. - is stdin', choices: 'files' },
]

/** What a machine's writers put on its record. */
export const machineEntries: readonly Command[] = [
  endpointCommand({
    path: 'machines event',
    endpoint: 'machines.event',
    words: ['slug', 'type'],
    text: recorded,
    examples: [
      `tickmesh machines event pump-7 reading --payload '{"pressure_Pa":101325}'`,
      'tickmesh machines event pump-7 reading --payload @reading.json --note "by hand"',
    ],
  }),
  endpointCommand({
    path: 'machines state get',
    endpoint: 'machines.state',
    words: ['slug'],
    examples: ['tickmesh machines state get pump-7'],
  }),
  endpointCommand({
    path: 'machines state set',
    endpoint: 'machines.record-state',
    words: ['slug'],
    args: slugAndFile,
    prepare: (input, invocation) => hashed(input, invocation, 'state_hash'),
    text: recorded,
    examples: ['tickmesh machines state set pump-7 state.bin', 'tickmesh machines state set pump-7 --state-hash 9f86…'],
  }),
  endpointCommand({
    path: 'machines file',
    endpoint: 'machines.file',
    words: ['slug'],
    args: slugAndFile,
    prepare: (input, invocation) => hashed(input, invocation, 'hash'),
    text: recorded,
    examples: ['tickmesh machines file pump-7 log.csv --media-type text/csv'],
  }),
  endpointCommand({
    path: 'machines connection',
    endpoint: 'machines.connection',
    words: ['slug', 'direction'],
    text: recorded,
    examples: ['tickmesh machines connection pump-7 inbound --address 192.0.2.7'],
  }),
  endpointCommand({
    path: 'machines rejection',
    endpoint: 'machines.rejection-log',
    words: ['slug', 'code'],
    text: recorded,
    examples: ['tickmesh machines rejection pump-7 PRECISION_NOT_MET --reason "sensor 3"'],
  }),
  endpointCommand({
    path: 'machines anchor',
    endpoint: 'machines.anchor',
    words: ['motherSlug', 'slug'],
    text: recorded,
    examples: ['tickmesh machines anchor mother pump-7'],
  }),
]
