import { startWords } from './start-words.ts'

/** What is to be done where the log of the node does not have to be asked. */
const remedies: Readonly<Record<string, string>> = {
  log: `make room on its disk or mend it, then: tickmesh stop, and ${startWords()}`,
}

/** What to do about a check of readiness that does not pass. */
export const remedyOf = (check: string): string => remedies[check] ?? 'its log says why'
