import type { EndpointId, InputOf, ResultOf } from '#api/result-of.ts'
import { endpointOf } from '#gateway/endpoint-of.ts'
import { type Command, command, type Invocation } from './command.ts'
import { confirm } from './confirm.ts'
import { connect } from './connection.ts'
import { describe, listText } from './describe.ts'
import { type Exit, exits } from './exit.ts'
import { readJsonFile, readSecret, readSource } from './input.ts'
import { present } from './io.ts'
import { assertFits, flagOf, type Member, membersOf, optionOf, readMember } from './members.ts'
import { usageError } from './problem.ts'

type Input = { [name: string]: unknown }

/** A command that is a call of one endpoint: arguments, options and their help follow from the endpoint's literal. */
export interface EndpointCommand<Id extends EndpointId> {
  readonly path: string
  readonly endpoint: Id
  /** Members that are words of the call, in order; those that the endpoint needs come first. The others are options. */
  readonly words?: readonly string[]
  /** Members that are secrets: never a word, read from the file that `--<name>-file` names, or stdin. */
  readonly secrets?: readonly string[]
  readonly examples: readonly string[]
  /** The endpoint's own unless said. */
  readonly summary?: string
  readonly options?: Command['options']
  readonly args?: Command['args']
  /** What is asked before it is done, where it cannot be taken back. */
  readonly question?: (input: InputOf<Id>) => string
  /** Completes the input from what this machine has, e.g. the hash of a file. */
  readonly prepare?: (input: Input, invocation: Invocation) => Promise<Input>
  /** The list to show as a table, and its columns. */
  readonly list?: readonly [member: string, columns: readonly string[]]
  /** The member that is all of stdout: a secret that is shown once. The rest is talk. */
  readonly secret?: string
  readonly text?: (result: ResultOf<Id>) => string
  /** What the answer means for the exit code; 0 unless said. */
  readonly exit?: (result: ResultOf<Id>) => Exit
}

const dataOption = {
  flags: '--data <@file>',
  help: 'inputs from a JSON file, @file; - is stdin. Words and options stand on top',
} as const
const idempotencyOption = {
  flags: '--idempotency-key <text>',
  help: 'names this call: the node answers a repeat as the first time, and does it once. At random when left out',
} as const

/** What a member is called as an option: `--data` is all of an input, so the data of an event are called after it. */
const optionName = (name: string): string => (name === 'data' ? 'event_data' : name)

const secretFlag = (name: string): string => `${flagOf(name)}-file`

const optionFor = ({ name, kind, help, choices }: Member, secret: boolean): NonNullable<Command['options']>[number] => {
  if (secret) return { flags: `${secretFlag(name)} <file>`, help: `${help} From a file; - is stdin.`, choices: 'files' }
  const form = kind === 'whole' ? 'n' : kind === 'json' ? 'json' : kind === 'boolean' ? 'true|false' : 'text'
  const said = kind === 'json' ? `${help} @file and - are read.` : help
  return { flags: `${flagOf(optionName(name))} <${form}>`, help: said, ...(choices !== undefined && { choices }) }
}

/** Members given as words. */
const wordsOf = (members: readonly Member[], words: readonly string[], { args }: Invocation): Input =>
  Object.fromEntries(
    words.flatMap((name, i) => {
      const [member, text] = [members.find((it) => it.name === name), args[i]]
      return member === undefined || text === undefined ? [] : [[name, readMember(member, text)]]
    }),
  )

const optionsOf = async (members: readonly Member[], secrets: readonly string[], invocation: Invocation) => {
  const input: Input = {}
  for (const member of members) {
    const { name, kind } = member
    if (secrets.includes(name)) {
      const file = invocation.options[optionOf(`${name}_file`)]
      if (typeof file === 'string') input[name] = await readSecret(file, invocation.signal)
      continue
    }
    const text = invocation.options[optionOf(optionName(name))]
    if (typeof text !== 'string') continue
    input[name] = readMember(member, kind === 'json' ? await readSource(text, invocation.signal) : text)
  }
  return input
}

/** More than one part of an input from stdin would leave one of them empty. */
const assertOneStdin = ({ options }: Invocation): void => {
  if (Object.values(options).filter((it) => it === '-').length > 1) throw usageError('stdin can be read once only')
}

const shownText = <Id extends EndpointId>(it: EndpointCommand<Id>, result: ResultOf<Id>): string => {
  if (it.text !== undefined) return it.text(result)
  if (it.list === undefined) return describe(result as object)
  const [member, columns] = it.list
  const { [member]: rows, ok: _, ...rest } = result as Readonly<Record<string, unknown>>
  const beside = Object.values(rest).some((value) => typeof value !== 'object' && value !== undefined)
  return [...(beside ? [describe(rest)] : []), listText(rows as readonly object[], columns)].join('\n')
}

const show = <Id extends EndpointId>(it: EndpointCommand<Id>, result: ResultOf<Id>, { io }: Invocation): void => {
  if (it.secret === undefined) {
    present(io, { ok: true, ...(result as object) }, () => shownText(it, result))
    return
  }
  const { [it.secret]: secret, ...rest } = result as Readonly<Record<string, unknown>>
  present(io, result as object, () => String(secret))
  io.say(`${describe(rest)}\nkeep what stands on stdout: it is not shown again`)
}

/** Writes a command down that is a call of an endpoint. */
export const endpointCommand = <const Id extends EndpointId>(it: EndpointCommand<Id>): Command => {
  const endpoint = endpointOf(it.endpoint)
  const members = membersOf(endpoint)
  const { words = [], secrets = [] } = it
  const isPost = endpoint.route.startsWith('POST ')
  const others = members.filter(({ name }) => !words.includes(name))
  const args = words.map((name) => {
    const { help, choices, required } = members.find((member) => member.name === name) as Member
    return { name: required ? `<${name}>` : `[${name}]`, help, ...(choices !== undefined && { choices }) }
  })
  return command({
    path: it.path,
    summary: it.summary ?? endpoint.summary,
    settings: 'node',
    args: it.args ?? args,
    options: [
      ...(it.options ?? []),
      ...others.map((member) => optionFor(member, secrets.includes(member.name))),
      ...(others.length > 0 ? [dataOption] : []),
      ...(isPost ? [idempotencyOption] : []),
    ],
    examples: it.examples,

    async run(invocation) {
      const { io, signal, options } = invocation
      assertOneStdin(invocation)
      const { data, idempotencyKey, ifMatch } = options
      const given = {
        ...(typeof data === 'string' && (await readJsonFile(data, signal))),
        ...(await optionsOf(others, secrets, invocation)),
        ...(it.args === undefined ? wordsOf(members, words, invocation) : {}),
      }
      const input = it.prepare === undefined ? given : await it.prepare(given, invocation)
      await assertFits(endpoint, input)
      const { client } = connect(invocation)
      if (it.question !== undefined) await confirm(io, it.question(input as InputOf<Id>), signal)
      const result = await client.call(it.endpoint, input as InputOf<Id>, {
        signal,
        ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
        ...(typeof ifMatch === 'string' && { ifMatch }),
      })
      show(it, result, invocation)
      return it.exit?.(result) ?? exits.ok
    },
  })
}
