import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Says that the data beside it came out of an archive, and that no start has asked the witnesses since whether the
 * world has seen more of its logs. It is there before the data are, and goes with the first start that has asked.
 */
const MARK = 'unconfirmed'
const MODE = 0o600

/** Marks a directory whose data are about to be put back. */
export const markUnconfirmed = (directory: string): void => writeFileSync(join(directory, MARK), '', { mode: MODE })

/** Whether the data were put back and nobody has been asked since. */
export const isUnconfirmed = (directory: string): boolean => existsSync(join(directory, MARK))

/** The witnesses were asked, or there are none. */
export const confirmed = (directory: string): void => rmSync(join(directory, MARK), { force: true })
