import { existsSync } from 'node:fs'

/** npm puts the lock file of a clone into no package. */
const LOCK_FILE = new URL('../../package-lock.json', import.meta.url)

/** What starts a node here: a clone has the scripts of npm, an installed package has its command. */
export const startWords = (): string => (existsSync(LOCK_FILE) ? 'npm start' : 'tickmesh start')
