import { settings } from '#node/config.ts'
import type { Choices, Command } from './command.ts'

/** A secret has no flag: other users of the machine can read a command line. */
export const flagged = settings.filter(({ secret }) => !secret)

const choicesOf = (schema: object): Choices | undefined => {
  const { enum: values, type } = schema as { enum?: readonly string[]; type?: string }
  return values ?? (type === 'boolean' ? ['true', 'false'] : undefined)
}

/** Settings that a command takes as flags. */
export const settingOptions = (which: Command['settings']): NonNullable<Command['options']> => {
  if (which === 'none') return []
  const shown = flagged.filter(({ path }) => which === 'all' || path === 'data')
  return [
    ...(which === 'node' ? [{ flags: '--url <address>', help: 'the node to talk to, in place of TICKMESH_URL' }] : []),
    { flags: '--config <file>', help: 'a configuration file (JSON)', choices: 'files' },
    ...shown.map(({ path, flag, description, unit, schema }) => {
      const choices = path === 'data' ? 'files' : choicesOf(schema)
      const help = `${description}${unit === undefined ? '' : ` [${unit}]`}`
      return { flags: `${flag} <value>`, help, ...(choices !== undefined && { choices }) }
    }),
  ]
}

/** Options that every command has. */
export const globalOptions: NonNullable<Command['options']> = [
  { flags: '--json', help: 'print one JSON object on stdout, on a failure too' },
  { flags: '-q, --quiet', help: 'no talk on stderr but errors' },
  { flags: '-y, --yes', help: 'confirm beforehand what would be asked' },
  { flags: '--no-input', help: 'never ask; what would be asked is refused' },
]
