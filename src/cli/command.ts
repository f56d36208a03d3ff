import type { Io } from './io.ts'

/** What the command line gave, beside the global options. */
export interface Invocation {
  readonly io: Io
  readonly args: readonly string[]
  /** Values by the camel-case name of their flag; a flag without a value is `true`. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  /** Settings given as flags, by path: what the configuration loader takes. */
  readonly settings: Readonly<Record<string, string>>
  /** The configuration file named by `--config`. */
  readonly configFile?: string
  readonly signal: AbortSignal
}

/**
 * What a word or an option's value may be, for the shell's completion: fixed words, files, what this release has
 * (solvers, the inputs of the one that the call names), or what the node has.
 */
export type Choices = readonly string[] | 'files' | 'solvers' | 'inputs' | 'machines' | 'jobs' | 'operators' | 'tokens'

/** One command of `tickmesh`, whole; `path` is its words, e.g. `credits grant`. */
export interface Command {
  readonly path: string
  readonly summary: string
  /** In commander's notation: `<required>`, `[optional]`, `[many...]`. */
  readonly args?: readonly { readonly name: string; readonly help: string; readonly choices?: Choices }[]
  readonly options?: readonly { readonly flags: string; readonly help: string; readonly choices?: Choices }[]
  readonly examples: readonly string[]
  /**
   * Settings it takes as flags: all, none, or, when left out, where the configuration and the data are; `node` for what
   * talks to a node, which has an address too.
   */
  readonly settings?: 'all' | 'none' | 'node'
  /** SIGINT and SIGTERM are not turned into its signal: it minds them itself, or is simply ended by them. */
  readonly ownSignals?: true
  /** Not for people, and in no list: completion scripts call it. */
  readonly hidden?: true
  run(invocation: Invocation): Promise<number>
}

/** Writes a command down. */
export const command = (definition: Command): Command => definition
