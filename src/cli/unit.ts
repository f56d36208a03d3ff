import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'

/** Whose service it is: the machine's, or that of one user. */
export type Scope = 'system' | 'user'

/** What stands in the place of a unit. `older` is ours and untouched; `changed` is somebody's own work. */
export type UnitState = 'absent' | 'current' | 'older' | 'changed'

const NAME = 'tickmesh.service'
const TEMPLATES: Readonly<Record<Scope, URL>> = {
  system: new URL('../../config/tickmesh.service', import.meta.url),
  user: new URL('../../config/tickmesh-user.service', import.meta.url),
}
const SYSTEM_DIRECTORY = '/etc/systemd/system'
const MARK = '# tickmesh-unit sha256:'
/** Longest that another program may take to answer. */
const TIMEOUT_MS = 5_000

/** The program of a name on the PATH, or undefined. */
export const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '').split(delimiter).flatMap((folder): string[] => {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return folder !== '' && statSync(file).isFile() ? [file] : []
    } catch {
      return []
    }
  })[0]

/** How a program that ran and ended is told; undefined code: it did not run, or not in time. */
export interface Ran {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, within five seconds. Throws nothing. */
export const runProbe = (file: string, args: readonly string[]): Promise<Ran> => {
  const { promise, resolve } = Promise.withResolvers<Ran>()
  execFile(file, [...args], { timeout: TIMEOUT_MS, encoding: 'utf8' }, (error, stdout, stderr) => {
    const code = error === null ? 0 : error.code
    resolve({ code: typeof code === 'number' ? code : undefined, stdout, stderr })
  })
  return promise
}

/** A path as a word of ExecStart. @throws CliError for one that a unit cannot name. */
const unitWord = (path: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001F\u007F$]/.test(path)) {
    throw new CliError(exits.failure, `a unit cannot name the path ${JSON.stringify(path)}`, { code: 'UNIT_PATH' })
  }
  const quoted = path.replaceAll('%', '%%').replace(/[\\"]/g, '\\$&')
  return /[\s"'\\;]/.test(path) ? `"${quoted}"` : quoted
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/** What Node was told to load before the program: an installed package reads its sources by it. */
const preloads = (): readonly string[] => process.execArgv.filter((it) => it.startsWith('--import='))

/** The files that the service reads: the engine and the program. */
export const servedFiles = (): readonly string[] => [process.execPath, MAIN]

/** Every help loads this file, and a tenth of the time of one would go into loading all that is in `node:crypto`. */
const digestOf = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex')

/** The unit as it would be written now. Readiness is told where systemd-notify is there to tell it. */
export const unitText = (scope: Scope): string => {
  const values: Readonly<Record<string, string>> = {
    TYPE: onPath('systemd-notify') === undefined ? 'exec' : 'notify',
    NODE: unitWord(process.execPath),
    MAIN: [...preloads(), MAIN].map(unitWord).join(' '),
  }
  const body = readFileSync(TEMPLATES[scope], 'utf8').replace(/@([A-Z]+)@/g, (whole, name: string) => {
    return values[name] ?? whole
  })
  return `${MARK}${digestOf(body)}\n${body}`
}

/** Where the unit stands. */
export const unitPath = (scope: Scope): string => {
  if (scope === 'system') return join(SYSTEM_DIRECTORY, NAME)
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd', 'user', NAME)
}

/** Whether a text is one that this program wrote and nobody has touched since: its first line is the rest's digest. */
const isUntouched = (text: string): boolean => {
  const end = text.indexOf('\n')
  return text.slice(0, end) === `${MARK}${digestOf(text.slice(end + 1))}`
}

/** What stands in the place of a unit. @throws the system's error for what cannot be read. */
export const unitState = (scope: Scope): UnitState => {
  const path = unitPath(scope)
  if (!existsSync(path)) return 'absent'
  const text = readFileSync(path, 'utf8')
  if (text === unitText(scope)) return 'current'
  return isUntouched(text) ? 'older' : 'changed'
}

/** The first on the way to a file, or it itself, that others may not enter or read; undefined when all may. */
export const closedTo = (file: string): string | undefined => {
  const OTHERS_READ = 0o004
  const OTHERS_ENTER = 0o001
  if ((statSync(file).mode & OTHERS_READ) === 0) return file
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & OTHERS_ENTER) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** What systemd says of the unit, e.g. `active`; undefined where no systemd runs. */
export const askSystemd = async (scope: Scope, question: 'is-active' | 'is-enabled'): Promise<string | undefined> => {
  const program = onPath('systemctl')
  if (program === undefined || !existsSync('/run/systemd/system')) return undefined
  const { stdout } = await runProbe(program, [...(scope === 'user' ? ['--user'] : []), question, NAME])
  return stdout.trim() === '' ? undefined : stdout.trim()
}
