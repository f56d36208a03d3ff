import type { Command } from '#cli/command.ts'
import { contractsAuthor } from './contracts-author.ts'
import { contractsHistory } from './contracts-history.ts'
import { contractsLife } from './contracts-life.ts'
import { contractsLint } from './contracts-lint.ts'
import { contractsNext } from './contracts-next.ts'
import { contractsReplay } from './contracts-replay.ts'
import { contractsSimulate } from './contracts-simulate.ts'

/** State contracts. */
export const contracts: readonly Command[] = [
  contractsLint,
  contractsNext,
  contractsSimulate,
  contractsHistory,
  contractsReplay,
  ...contractsLife,
  ...contractsAuthor,
]
