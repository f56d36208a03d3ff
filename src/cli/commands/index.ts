import type { Command } from '#cli/command.ts'
import { configShow } from './config-show.ts'

/** Every command of `tickmesh`, in the order of `--help`. */
export const commands: readonly Command[] = [configShow]
