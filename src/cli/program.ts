import { readFileSync } from 'node:fs'
import { Command as Commander, CommanderError } from 'commander'
import type { Command } from './command.ts'
import { groups } from './commands/groups.ts'
import { commandsFor } from './commands/index.ts'
import { exits, exitTable } from './exit.ts'
import { processIo } from './io.ts'
import { flagged, globalOptions, settingOptions } from './setting-options.ts'
import { watchSignals } from './signals.ts'

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
  TICKMESH_URL   address of the node to talk to; left out, the one that runs on the data directory
  TICKMESH_KEY   API key to present to it, or TICKMESH_KEY_FILE a file with it; left out, the owner's, to the own
                 node alone
  TICKMESH_DATA  data directory; \`tickmesh config show\` lists the variable of every setting
  NO_COLOR       holds always: nothing is coloured; off a terminal nothing is redrawn`

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

const addCommand = (root: Commander, it: Command, settle: (code: number) => void): void => {
  const { path, summary, args = [], options = [], examples, hidden = false } = it
  const at = place(root, path, hidden).description(summary).addHelpText('after', ending(examples))
  for (const { name, help } of args) at.argument(name, help)
  for (const { flags, help } of [...options, ...settingOptions(it.settings)]) at.option(flags, help)
  // Commands of endpoints take their inputs as options, these as words: who mixes them up is told.
  if (args.some(({ name }) => name === '[inputs...]')) {
    at.exitOverride(({ exitCode, code, message }) => {
      const more = code === 'commander.unknownOption' ? '; an input is name=value' : ''
      throw new CommanderError(exitCode, code, `${message}${more}`)
    })
  }
  at.action(async (...given: unknown[]) => {
    const words = given.slice(0, args.length).flat()
    settle(await invoke(it, words.filter((word) => word !== undefined) as string[], at.optsWithGlobals()))
  })
}

const buildProgram = (commands: readonly Command[], settle: (code: number) => void): Commander => {
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
  for (const it of commands) addCommand(program, it, settle)
  return program
}

/** Parses the words of a call and runs its command. @throws what the command throws, CommanderError for wrong words. */
export const runProgram = async (words: readonly string[]): Promise<number> => {
  let code: number = exits.ok
  const program = buildProgram(await commandsFor(words), (it) => {
    code = it
  })
  try {
    await program.parseAsync([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  }
  return code
}
