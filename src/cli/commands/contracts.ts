import type { Command } from '#cli/command.ts'
import { contractsLint } from './contracts-lint.ts'
import { contractsNext } from './contracts-next.ts'
import { contractsReplay } from './contracts-replay.ts'
import { contractsSimulate } from './contracts-simulate.ts'

/** State contracts. */
export const contracts: readonly Command[] = [contractsLint, contractsNext, contractsSimulate, contractsReplay]
