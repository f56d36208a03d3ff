import type { Command } from '#cli/command.ts'
import { contractsAuthor } from './contracts-author.ts'
import { contractsLife } from './contracts-life.ts'
import { contractsLint } from './contracts-lint.ts'
import { contractsNext } from './contracts-next.ts'

/** State contracts. */
export const contracts: readonly Command[] = [contractsLint, contractsNext, ...contractsLife, ...contractsAuthor]
