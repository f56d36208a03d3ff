import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { isPage, putRegister, type RegisterValue, registerOf, stateOfCopy, valueIn } from '#core/mmio/page.ts'
import { controlRegisters, PAGE_BYTES, pageRegisters, type Register, registerIn } from '#core/mmio/table.ts'
import { TICK_NS } from '#core/tick.ts'
import { pause } from '#core/wait.ts'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'

/** Copies that are taken of a page that is just being written, before it is said to be busy. */
const COPIES_MAX = 64
/** Ticks that a page may stand still, or be half written, while its node lives. */
const SILENT_TICKS_MAX = 4n
const MS_PER_TICK = Number(TICK_NS) / 1e6

const seqlock = registerIn(pageRegisters, 'seqlock')
const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const refused = (path: string, what: string, code: string): CliError =>
  new CliError(exits.failure, `${path} ${what}`, { code, details: { path } })

const opened = (path: string, flags: number): number => {
  try {
    return openSync(path, flags | constants.O_NOFOLLOW)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT')
      throw new CliError(exits.network, `no node has written ${path}`, { code: 'NO_PAGE', details: { path } })
    throw refused(path, code === 'ELOOP' ? 'is a symbolic link' : `cannot be opened: ${code}`, 'PAGE_REFUSED')
  }
}

/** One copy between two reads of the seqlock that agree; undefined while it is being written. */
const copyOf = (file: number, path: string): Uint8Array | undefined => {
  const word = new Uint8Array(PAGE_BYTES)
  const page = new Uint8Array(PAGE_BYTES)
  if (readSync(file, page, 0, PAGE_BYTES, 0) < PAGE_BYTES) throw refused(path, 'is no whole page', 'PAGE_REFUSED')
  readSync(file, word, 0, seqlock.width, 0)
  if (!isPage(page)) throw refused(path, 'is no register page', 'PAGE_REFUSED')
  if (registerOf(word, seqlock) !== registerOf(page, seqlock)) return undefined
  return stateOfCopy(page) === 'whole' ? page : undefined
}

/**
 * Reads a page as any program does: two reads of the seqlock that agree and are even, and the sum.
 *
 * @throws CliError NO_PAGE, PAGE_REFUSED; NODE_BUSY while it is written too often; NODE_GONE when it stays half
 * written.
 */
export const readPage = async (path: string, signal: AbortSignal): Promise<Uint8Array> => {
  const file = opened(path, constants.O_RDONLY)
  try {
    for (let waits = 0; waits <= Number(SILENT_TICKS_MAX); waits++) {
      let isOdd = true
      for (let copies = 0; copies < COPIES_MAX; copies++) {
        const page = copyOf(file, path)
        if (page !== undefined) return page
        const word = new Uint8Array(PAGE_BYTES)
        readSync(file, word, 0, seqlock.width, 0)
        isOdd &&= ((registerOf(word, seqlock) as bigint) & 1n) === 1n
      }
      if (!isOdd) throw new CliError(exits.tryLater, `${path} is being written; try again`, { code: 'NODE_BUSY' })
      await untilNextTick(signal)
    }
  } finally {
    closeSync(file)
  }
  throw new CliError(exits.network, `the node of ${path} ended while it wrote the page`, { code: 'NODE_GONE' })
}

/** Nanoseconds since a page was written; the machine's monotonic clock began anew if it is negative. */
const ageNs = (page: Uint8Array): bigint => process.hrtime.bigint() - (valueIn(page, 'monotonic_ns') as bigint)

/** Whether the node that wrote a page has been silent for longer than a living one is. */
export const isGone = (page: Uint8Array): boolean => {
  const age = ageNs(page)
  return age < 0n || age > SILENT_TICKS_MAX * TICK_NS
}

/** @throws CliError NODE_GONE for a page whose node writes no more. */
export const assertLiving = (page: Uint8Array, path: string): void => {
  if (isGone(page))
    throw new CliError(exits.network, `the node of ${path} writes no more`, { code: 'NODE_GONE', details: { path } })
}

const control = (name: string): Register => registerIn(controlRegisters, name)

/** Words of a control file, read and written as any program of the owner does. */
export const controlOf = (path: string) => {
  const within = <T>(work: (file: number) => T): T => {
    const file = opened(path, constants.O_RDWR)
    try {
      return work(file)
    } finally {
      closeSync(file)
    }
  }
  const put = (file: number, name: string, value: RegisterValue): void => {
    const bytes = new Uint8Array(PAGE_BYTES)
    const { offset, width } = control(name)
    putRegister(bytes, control(name), value)
    writeSync(file, bytes, offset, width, offset)
  }
  const wordsIn = (file: number): Uint8Array => {
    const bytes = new Uint8Array(PAGE_BYTES)
    if (readSync(file, bytes, 0, PAGE_BYTES, 0) < PAGE_BYTES) throw refused(path, 'is no whole page', 'PAGE_REFUSED')
    return bytes
  }
  return {
    read: (name: string): RegisterValue => within((file) => registerOf(wordsIn(file), control(name))),
    write: (name: string, value: RegisterValue): void => within((file) => put(file, name, value)),
    /** Writes a request, then raises the bell above both what it was and what was acted on. @returns the bell */
    ring: (request: number, argument: number, done: bigint): bigint =>
      within((file) => {
        const before = registerOf(wordsIn(file), control('doorbell')) as bigint
        const bell = (before > done ? before : done) + 1n
        put(file, 'request', request)
        put(file, 'argument', argument)
        put(file, 'doorbell', bell)
        return bell
      }),
  }
}

/** Waits about a tick. @throws the signal's reason */
export const untilNextTick = (signal: AbortSignal): Promise<void> => pause(MS_PER_TICK, signal)
