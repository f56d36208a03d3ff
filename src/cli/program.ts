import { readFileSync } from 'node:fs'
import { Command as Commander, CommanderError } from 'commander'
import { shortened } from '#core/near-names.ts'
import { ConfigError, loadConfig } from '#node/config.ts'
import type { Command } from './command.ts'
import { groups } from './commands/groups.ts'
import { commandsFor, commandWords, isCommand } from './commands/index.ts'
import { exits, exitTable } from './exit.ts'
import { COLUMNS, processIo } from './io.ts'
import { overview } from './overview.ts'
import { usageError } from './problem.ts'
import { flagged, globalOptions, settingOptions } from './setting-options.ts'
import { watchSignals } from './signals.ts'
import { solverInputs, solverNames } from './solver-inputs.ts'
import { asInputs, firstWord, otherCommand, questionCall } from './teach.ts'

type Options = Readonly<Record<string, unknown>>

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version

/** commander names an option's value after its flag in camel case. */
const optionName = (flag: string): string =>
  flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const settingsOf = (options: Options): Record<string, string> =>
  Object.fromEntries(
    flagged.flatMap(({ path, flag }) => {
      const value = options[optionName(flag)]
      return typeof value === 'string' ? [[path, value]] : []
    }),
  )

const invoke = (command: Command, args: readonly string[], given: Options): Promise<number> => {
  const { json, quiet, yes, input, config, ...options } = given
  return command.run({
    io: processIo({ json: json === true, quiet: quiet === true, yes: yes === true, input: input !== false }),
    args,
    options: options as Record<string, string | boolean | undefined>,
    settings: settingsOf(options),
    ...(typeof config === 'string' && { configFile: config }),
    signal: command.ownSignals === true ? new AbortController().signal : watchSignals(),
  })
}

const environment = `Environment:
  TICKMESH_URL   address of the node to talk to, as --url; left out, the one that runs on the data directory
  TICKMESH_KEY   API key to present to it, or TICKMESH_KEY_FILE a file with it; left out, the owner's, to the own
                 node alone
  TICKMESH_DATA  data directory; \`tickmesh config show\` lists the variable of every setting
  NO_COLOR       nothing is coloured (only plots in a terminal ever are); off a terminal nothing is redrawn`

const ending = (examples: readonly string[]): string => {
  const shown = examples.map((line) => `  ${line}`).join('\n')
  return `${shown === '' ? '' : `\nExamples:\n${shown}\n`}\n${exitTable}\n`
}

/** A word that is no command itself, only others hang from it, has its summary in the list of groups. */
const make = (parent: Commander, path: string, hidden: boolean): Commander => {
  const at = parent.command(path.split(' ').at(-1) ?? '', { hidden }).helpCommand(false)
  const summary = groups[path]
  return summary === undefined ? at : at.description(summary).addHelpText('after', ending([]))
}

/** Words of a path become nested commands: `credits grant` is `grant` under `credits`. */
const place = (root: Commander, path: string, hidden: boolean): Commander => {
  const words = path.split(' ')
  return words.reduce(
    (parent, word, i) =>
      parent.commands.find((it) => it.name() === word) ?? make(parent, words.slice(0, i + 1).join(' '), hidden),
    root,
  )
}

/** A call under way: its words, and where its exit code goes. */
interface Call {
  readonly words: readonly string[]
  readonly settle: (code: number) => void
}

/** Who left a word out is shown a call that has them all. */
const withExample = (error: CommanderError, [example]: readonly string[]): CommanderError => {
  const { code, exitCode, message } = error
  if (example === undefined || code !== 'commander.missingArgument') return error
  return new CommanderError(exitCode, code, `${message.replace(/\.$/, '')}; for example: ${example}`)
}

const addCommand = (root: Commander, it: Command, { words, settle }: Call): void => {
  const { path, summary, args = [], options = [], examples, hidden = false } = it
  const at = place(root, path, hidden).description(summary).addHelpText('after', ending(examples))
  for (const { name, help } of args) at.argument(name, help)
  for (const { flags, help } of [...options, ...settingOptions(it.settings)]) at.option(flags, help)
  at.exitOverride((error) => {
    throw withExample(error, examples)
  })
  // Commands of endpoints take their inputs as options, these as words: who mixes them up is told what to write.
  if (args.some(({ name }) => name === '[inputs...]')) {
    at.exitOverride((error) => {
      if (error.code !== 'commander.unknownOption') throw withExample(error, examples)
      const known = [...at.options, ...root.options].flatMap(({ short, long }) => [short ?? [], long ?? []].flat())
      const meant = asInputs(words, [...known, '-h', '--help'])
      // A slip of an option is told by the parser; the name of an input may be near to one all the same.
      const slip = error.message.includes('(Did you mean') && !areInputs(words, meant)
      if (slip) throw error
      const message = `${error.message.replace(/\n.*/s, '')}; an input is name=value, write: ${meant.join(' ')}`
      throw new CommanderError(error.exitCode, error.code, message)
    })
  }
  at.action(async (...given: unknown[]) => {
    const its = given.slice(0, args.length).flat()
    settle(await invoke(it, its.filter((word) => word !== undefined) as string[], at.optsWithGlobals()))
  })
}

/** Whether these are inputs of a solver that the call names. */
const areInputs = (words: readonly string[], inputs: readonly string[]): boolean => {
  const known = words.flatMap(solverInputs).map((it) => it.replace(/=.*/, ''))
  return inputs.every((it) => known.includes(it.replace(/^"|=.*$/gs, '')))
}

const buildProgram = (commands: readonly Command[], call: Call): Commander => {
  const program = new Commander('tickmesh')
    .description('A verifiable-compute mesh node: results with receipts that anyone can check offline.')
    .version(version())
    .configureHelp({ showGlobalOptions: true })
    // Errors are told in one place, with their JSON; only the help that stands for one is commander's to print.
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', `\n${environment}\n${ending([])}`)
  for (const { flags, help } of globalOptions) program.option(flags, help)
  for (const it of commands) addCommand(program, it, call)
  return program
}

/** The data directory, where the settings lead to one. */
const dataDirectory = (): string | undefined => {
  try {
    return loadConfig({ environment: process.env }).dataDirectory
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** Whether a person at a terminal is asked before anything is sealed, or has said yes beforehand. */
const asks = (words: readonly string[]): boolean => {
  if (words.includes('--yes') || words.includes('-y')) return true
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !words.includes('--no-input')
}

/** What a call says that has no command of ours. @throws CliError for a word that is none, with what may be meant. */
const withoutCommand = (words: readonly string[]): readonly string[] => {
  const commands = commandWords
  const question = questionCall(words, { commands, asks: asks(words) })
  if (question !== undefined) return question
  const first = words[firstWord(words)]
  if (first === undefined || first.startsWith('-') || first === 'help' || isCommand(first)) return words
  throw usageError(
    `unknown command '${shortened(first)}'; ${otherCommand(words, { commands, solvers: solverNames() })}`,
  )
}

/** Parses the words of a call and runs its command. @throws what the command throws, CommanderError for wrong words. */
export const runProgram = async (given: readonly string[]): Promise<number> => {
  if (given.length === 0) {
    process.stdout.write(`${overview(dataDirectory(), process.stdout.columns || COLUMNS)}\n`)
    return exits.ok
  }
  let code: number = exits.ok
  const words = withoutCommand(given)
  const settle = (it: number): void => {
    code = it
  }
  const program = buildProgram(await commandsFor(words), { words, settle })
  try {
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  }
  return code
}
