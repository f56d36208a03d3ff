import { existsSync } from 'node:fs'

/** npm puts the lock file of a clone into no package. */
const LOCK_FILE = new URL('../../package-lock.json', import.meta.url)

const isClone = (): boolean => existsSync(LOCK_FILE)

/** What starts a node here: a clone has the scripts of npm, an installed package has its command. */
export const startWords = (): string => (isClone() ? 'npm start' : 'tickmesh start')

/** How this program is called here. */
export const programWords = (): string => (isClone() ? 'npx tickmesh' : 'tickmesh')
