import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path/posix'

/** Tests of what no path and no import leads to: the file, and those that look at what it does. */
const owners: Readonly<Record<string, readonly string[]>> = {
  'src/core/assert.ts': ['core/canonical.test.ts', 'core/merkle.test.ts', 'numerics/runtime/run.test.ts'],
  'src/core/caller.ts': [
    'domain/identity/identity.test.ts',
    'domain/economy/money.test.ts',
    'domain/compute/jobs.test.ts',
  ],
  'src/core/log-trust.ts': ['core/chain-file.test.ts', 'core/succession.test.ts'],
  'src/core/once.ts': ['api/repeats.test.ts', 'domain/economy/idempotency.test.ts'],
  'src/core/quorum.ts': ['core/verify.test.ts', 'core/policy.test.ts', 'core/chain-file.test.ts'],
  'src/core/read-back.ts': ['core/question.test.ts'],
  'src/core/replayed.ts': ['core/verify.test.ts', 'core/forged.test.ts', 'core/real-bundle.test.ts'],
  'src/core/tail.ts': ['domain/compute/jobs.test.ts', 'store/store.test.ts', 'domain/machines/chain.test.ts'],
  'src/core/token/speaks.ts': ['domain/economy/moves.test.ts', 'core/token-verify.test.ts'],
  'src/core/underway.ts': ['domain/compute/parts.test.ts'],
  'src/core/verify-steps.ts': ['core/verify.test.ts', 'core/forged.test.ts', 'core/real-bundle.test.ts'],
  'src/core/view.ts': ['api/conformance.test.ts', 'api/registry.test.ts'],
}

/** Tests that are run for one mutant at most; the nearest come first. */
const OWNERS_MAX = 6

/** What a test imports of the sources, as paths from the root. */
const importsOf = (test: string): readonly string[] =>
  [...readFileSync(`test/${test}`, 'utf8').matchAll(/from '#([^']+)'/g)].map(([, path]) => `src/${path}`)

/** The folder of the solver, else of the file: `numerics/solvers/heat` for `src/numerics/solvers/heat/run/x.ts`. */
const folderOf = (file: string): string =>
  /^src\/(numerics\/solvers\/[^/]+)\//.exec(file)?.[1] ?? dirname(file).replace(/^src\//, '')

/**
 * The tests that own a file, the nearest first: of the same name, then of the same folder and importing it; of a
 * solver's file all of the solver's. Where there is none, those that import it from elsewhere, else all of its folder.
 */
export const ownersOf = (file: string): readonly string[] => {
  const named = owners[file]
  if (named !== undefined) return named
  const folder = folderOf(file)
  const near = globSync(`${folder}/**/*.test.ts`, { cwd: 'test' }).sort()
  if (folder.startsWith('numerics/solvers/')) return near
  const name = basename(file, '.ts')
  const mirrors = near.filter((test) => basename(test).startsWith(`${name}.`) || basename(test).startsWith(`${name}-`))
  const uses = (test: string): boolean => importsOf(test).includes(file)
  const own = [...new Set([...mirrors, ...near.filter(uses)])]
  if (own.length > 0) return own.slice(0, OWNERS_MAX)
  const far = globSync('**/*.test.ts', { cwd: 'test' }).sort()
  const light = far.filter((test) => !/^(?:ui|cli|hostile|mesh)\//.test(test) && uses(test))
  return light.length > 0 ? light.slice(0, OWNERS_MAX) : near
}

/** All tests of the folder of a file: what is asked before a mutant is called a survivor. */
export const neighboursOf = (file: string): readonly string[] =>
  globSync(`${folderOf(file)}/**/*.test.ts`, { cwd: 'test' }).sort()
