import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const INSTALL_MS_MAX = 900_000

/** Those of some Debian packages that are not installed; all of them where nobody can be asked. */
export const missingOf = async (packages: readonly string[]): Promise<readonly string[]> => {
  const there = await Promise.all(
    packages.map((name) =>
      run('dpkg-query', ['-s', name]).then(
        ({ stdout }) => stdout.includes('install ok installed'),
        () => false,
      ),
    ),
  )
  return packages.filter((_, i) => !there[i])
}

/** Installs Debian packages. @throws Error if apt-get cannot. */
export const install = async (packages: readonly string[]): Promise<void> => {
  if (packages.length === 0) return
  console.error(`installing ${packages.join(' ')}`)
  await run('apt-get', ['install', '-y', '-q', ...packages], { timeout: INSTALL_MS_MAX })
}
