import { codeOf, type Import, importsOf } from './scan.ts'

/** A file as the rules see it. */
export interface Source {
  /** Path from the root of the project. */
  readonly file: string
  readonly text: string
  /** The text with comments and the insides of strings blanked out; offsets stay. */
  readonly code: string
  readonly imports: readonly Import[]
}

/** One line for the one who broke a rule. */
export type Breach = string

/** @param line from 1; left out when the file as a whole is meant */
export const breach = (file: string, rule: string, line?: number): Breach =>
  `${file}${line === undefined ? '' : `:${line}`}: ${rule}`

const isKernel = (file: string): boolean => /^src\/numerics\/(?:.+\/)?kernels\//.test(file)
const isSource = (file: string): boolean => /\.(?:tsx?|mjs)$/.test(file)

/** Reads a text as a source. Kernels are AssemblyScript and have no imports that are ours to judge. */
export const sourceOf = (file: string, text: string): Source => {
  const code = isSource(file) ? codeOf(text) : text
  return { file, text, code, imports: isSource(file) && !isKernel(file) ? importsOf(text, code) : [] }
}

/** The files that are code: TypeScript and the two scripts that run on an old Node. */
export const codeFiles = (sources: readonly Source[]): readonly Source[] => sources.filter(({ file }) => isSource(file))

/** The code that this project's own Node runs. */
export const withoutKernels = (sources: readonly Source[]): readonly Source[] =>
  codeFiles(sources).filter(({ file }) => !isKernel(file))
