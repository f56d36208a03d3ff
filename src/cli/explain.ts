import { CommanderError } from 'commander'
import { Fault } from '#core/fault.ts'
import { NodeRefusal, NodeUnreachable } from '#gateway/client.ts'
import { ConfigError } from '#node/config.ts'
import { exits } from './exit.ts'
import { type Io, jsonText } from './io.ts'
import { CliError, usageError } from './problem.ts'
import { refusedInput } from './refused-input.ts'

/** What a person can do about some refusals, beside what the node says. */
const hints: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'set TICKMESH_KEY to a key of that node; its page makes one, under Settings',
}

/** A role in a machine, or an account, is no matter of the data directory; the owner of the node is. */
const hintOf = ({ code, problem }: NodeRefusal): string | undefined => {
  if (code !== 'SCOPE_REQUIRED') return hints[code]
  const { scope, role } = problem
  if (scope === 'account') {
    return 'keys of demos, machines, streams and pages have no account; sign up on the page, under Settings'
  }
  const ofTheNode = scope === 'owner' && role === undefined
  return ofTheNode ? 'run it on the data directory of the node, without TICKMESH_KEY' : undefined
}

/** What a node calls a page of its own; anything else that an answer has there is not repeated. */
const DOCS_PATH = /^\/docs\/[\w/.-]+$/

/** Address of the page about a refusal, without what a person may have written into the node's (a name, a password). */
const pageOf = ({ url, problem: { docs } }: NodeRefusal): string | undefined =>
  url !== undefined && DOCS_PATH.test(docs ?? '') ? `${new URL(url).origin}${docs}` : undefined

const ofNode = (refusal: NodeRefusal): CliError => {
  const { code, message, problem, retryable } = refusal
  const { type: _, title: __, detail: ___, code: ____, instance, ...rest } = problem
  const details = code === 'INTERNAL' ? { instance, ...rest } : rest
  const hint = hintOf(refusal)
  const named = code === 'INTERNAL' ? ` (${problem.instance})` : ''
  const ending = hint === undefined ? '' : ` — ${hint}`
  const sentence = `${code}: ${message}${named}${ending}`
  const plain = refusedInput(refusal)
  const see = pageOf(refusal)
  const more = {
    ...{ code, details },
    ...(see !== undefined && { see }),
    ...(plain !== undefined && { plain: `${code}: ${plain}${ending}` }),
  }
  return new CliError(retryable ? exits.tryLater : exits.failure, sentence, more)
}

const ofParser = ({ code, message }: CommanderError): CliError =>
  code === 'commander.help'
    ? usageError('a command is missing; --help lists them')
    : usageError(`${message.replace(/^error: |\.$/g, '').replace('\n(Did', ' (did')}; --help tells how`)

/** The system's own refusals (a path, a port, a permission) name what they are about. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && 'syscall' in error && typeof (error as NodeJS.ErrnoException).code === 'string'

/** Reads an error as what can be told of it; undefined for a bug, which shows its stack. */
const tellable = (error: unknown): CliError | undefined => {
  if (error instanceof CliError) return error
  if (error instanceof CommanderError) return ofParser(error)
  if (error instanceof ConfigError) return new CliError(exits.usage, error.message, { code: 'CONFIG' })
  if (error instanceof NodeUnreachable) return new CliError(exits.network, error.message, { code: 'UNREACHABLE' })
  if (error instanceof NodeRefusal) return ofNode(error)
  if (error instanceof Fault) {
    const { code, details, message } = error
    return new CliError(exits.failure, `${code}: ${message}`, { code, details })
  }
  if (isOfSystem(error)) return new CliError(exits.failure, error.message, { code: error.code })
  return undefined
}

/**
 * Tells why a command failed: one line on stderr, below it the page that says more where a node has one, and with
 * `--json` one object on stdout, `{schema, ok, code, error, details}`. Only a bug shows a stack.
 *
 * @returns the exit code.
 */
export const explain = (io: Io, error: unknown): number => {
  const it = tellable(error) ?? new CliError(exits.failure, `a bug: ${String(error)}`, { code: 'INTERNAL' })
  if (io.json) io.out(jsonText({ ok: false, code: it.code, error: it.message, details: it.details }))
  // Told even with --quiet, which only wants no talk: an exit code alone explains nothing.
  // The stack of a node's bug is in its own log, under the instance; what this program did meanwhile says nothing.
  const ofThis = it.code === 'INTERNAL' && error instanceof Error && !(error instanceof NodeRefusal)
  const stack = ofThis ? `\n${error.stack}` : ''
  const see = it.see === undefined || io.json ? '' : `\nsee ${it.see}`
  if (!io.json || !io.quiet) io.complain(`tickmesh: ${io.json ? it.message : it.plain}${see}${stack}`)
  return it.exit
}
