import { readFileSync } from 'node:fs'
import { Command as Commander, CommanderError } from 'commander'
import { Fault } from '#core/fault.ts'
import { NodeRefusal, NodeUnreachable } from '#gateway/client.ts'
import { ConfigError, settings } from '#node/config.ts'
import type { Command } from './command.ts'
import { commands } from './commands/index.ts'
import { exits, exitTable } from './exit.ts'
import { processIo } from './io.ts'
import { CliError } from './problem.ts'

const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** A secret has no flag that works: other users of the machine can read a command line. */
const flagged = settings.filter(({ secret }) => !secret)

const addGlobals = (it: Commander, all: boolean): void => {
  it.option('--json', 'print one JSON object on stdout')
    .option('-q, --quiet', 'no talk on stderr')
    .option('--config <file>', 'a configuration file (JSON)')
  for (const { path, flag, description, unit } of flagged) {
    if (all || path === 'data') it.option(`${flag} <value>`, `${description}${unit === undefined ? '' : ` [${unit}]`}`)
  }
}

/** commander names an option's value after its flag in camel case. */
const optionName = (flag: string): string =>
  flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const settingsOf = (options: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    flagged.flatMap(({ path, flag }) => {
      const value = options[optionName(flag)]
      return typeof value === 'string' ? [[path, value]] : []
    }),
  )

const invoke = async (command: Command, args: readonly string[], options: Record<string, unknown>): Promise<number> => {
  const { json, quiet, config, ...rest } = options
  const io = processIo({ json: json === true, quiet: quiet === true })
  const stop = new AbortController()
  if (command.handlesSignals !== true) {
    process.once('SIGINT', () => stop.abort(new CliError(130, 'interrupted')))
    process.once('SIGTERM', () => stop.abort(new CliError(143, 'terminated')))
  }
  return command.run({
    io,
    args,
    options: rest as Record<string, string | boolean | undefined>,
    settings: settingsOf(options),
    ...(typeof config === 'string' && { configFile: config }),
    signal: stop.signal,
  })
}

/** Words of a path become nested commands: `credits grant` is `grant` under `credits`. */
const place = (root: Commander, words: readonly string[]): Commander =>
  words.reduce(
    (parent, word) =>
      parent.commands.find((it) => it.name() === word) ?? parent.command(word).exitOverride().helpCommand(false),
    root,
  )

const buildProgram = (settle: (code: number) => void): Commander => {
  const program = new Commander('tickmesh')
    .description('A verifiable-compute mesh node: results with receipts that anyone can check offline.')
    .version(version)
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText('after', `\n${exitTable}\n`)
  for (const it of commands) {
    const at = place(program, it.path.split(' '))
      .description(it.summary)
      .addHelpText('after', `\nExamples:\n${it.examples.map((line) => `  ${line}`).join('\n')}\n\n${exitTable}\n`)
    for (const { name, help } of it.args ?? []) at.argument(name, help)
    for (const { flags, help } of it.options ?? []) at.option(flags, help)
    addGlobals(at, it.takesSettings === true)
    at.action(async (...given: unknown[]) => {
      const options = at.opts<Record<string, unknown>>()
      const args = given
        .slice(0, (it.args ?? []).length)
        .flat()
        .filter((arg) => arg !== undefined) as string[]
      settle(await invoke(it, args, options))
    })
  }
  return program
}

/** Faults and command errors are told in one line (or one JSON object); anything else is a bug and shows its stack. */
const explain = (error: unknown): number => {
  const json = process.argv.includes('--json')
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.ok : exits.usage
  if (error instanceof ConfigError) return explain(new CliError(exits.usage, error.message, { code: 'CONFIG' }))
  if (error instanceof NodeUnreachable)
    return explain(new CliError(exits.failure, error.message, { code: 'UNREACHABLE' }))
  if (error instanceof NodeRefusal) {
    const { type: _, title: __, detail: ___, instance: ____, ...members } = error.problem
    return explain(new CliError(exits.failure, `${error.code}: ${error.message}`, members))
  }
  if (error instanceof CliError || error instanceof Fault) {
    const details = error instanceof Fault ? { code: error.code, ...error.details } : error.details
    if (json) process.stdout.write(`${JSON.stringify({ schema: 1, ok: false, error: error.message, ...details })}\n`)
    process.stderr.write(`tickmesh: ${error.message}\n`)
    return error instanceof CliError ? error.exit : exits.failure
  }
  process.stderr.write(`tickmesh: a bug: ${error instanceof Error ? error.stack : String(error)}\n`)
  return exits.failure
}

const main = async (argv: readonly string[]): Promise<number> => {
  let code: number = exits.ok
  try {
    await buildProgram((it) => {
      code = it
    }).parseAsync([...argv])
    return code
  } catch (error) {
    return explain(error)
  }
}

// A closed pipe (`| head`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : exits.failure))
process.exitCode = await main(process.argv)
