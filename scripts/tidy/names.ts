import { lineAt } from './scan.ts'
import { type Breach, breach, type Source, withoutKernels } from './source.ts'

const EXPORTED = /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm

/** Solvers have words of their own: `Problem` or `State` means one thing within each folder. */
const isShared = (file: string): boolean => file.startsWith('src/') && !file.startsWith('src/numerics/solvers/')

/**
 * One exported name, one meaning: outside solvers' own folders no two files of `src` export a type of the same name.
 * Whoever searches for a type finds one, and an import that was completed by an editor is the right one.
 */
export const nameBreaches = (sources: readonly Source[]): readonly Breach[] => {
  const first = new Map<string, string>()
  return withoutKernels(sources)
    .filter(({ file }) => isShared(file))
    .flatMap(({ file, code }) =>
      [...code.matchAll(EXPORTED)].flatMap(({ 1: name = '', index }) => {
        const other = first.get(name)
        if (other === undefined) first.set(name, file)
        return other === undefined ? [] : [breach(file, `${name} is a type of ${other} too`, lineAt(code, index))]
      }),
    )
}
