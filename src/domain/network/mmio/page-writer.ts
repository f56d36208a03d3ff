import type { Fault } from '#core/fault.ts'
import { errorCode } from '#core/mmio/error-code.ts'
import { putRegister, type RegisterValue, sumPage, valueIn } from '#core/mmio/page.ts'
import { PAGE_BYTES, pageRegisters } from '#core/mmio/table.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Mode } from '#core/work/mode.ts'
import type { PageState } from '#domain/network/views/mmio.ts'
import type { ControlWords } from './asked.ts'
import { createCauses } from './causes.ts'
import type { RegisterFiles } from './files.ts'
import { createInterrupts, type Interrupts } from './interrupts.ts'
import { layoutDigest } from './layout.ts'
import { createRequests, type Requests, type RequestWords } from './requests.ts'
import { type RegisterSources, valuesOf, writersOwn } from './values.ts'

/** What the register page is made of. */
export interface RegisterPorts {
  readonly sources: RegisterSources
  /** Undefined where no files are written. */
  readonly files: RegisterFiles | undefined
  /** Acts as the owner of the node. @throws Fault as `POST /api/contribute/mode` does. */
  readonly setMode: (mode: Mode) => Promise<unknown>
  readonly sleep: Sleep
  readonly log: Log
}

/** Every register of the table has a value: what only a mistake of ours can break. */
const fill = (page: Uint8Array, values: Readonly<Record<string, RegisterValue>>): void => {
  for (const register of pageRegisters) {
    if ((writersOwn as readonly string[]).includes(register.name)) continue
    const value = values[register.name]
    if (value === undefined) throw new Error(`nothing says what the register ${register.name} holds`)
    putRegister(page, register, value)
  }
}

/** What a register of a number holds; 0 where there is no page. */
export const numberIn = (page: Uint8Array | undefined, name: string): number =>
  page === undefined ? 0 : Number(valueIn(page, name))

/** What a page says became of requests. */
const requestsIn = (page: Uint8Array): RequestWords => ({
  done: valueIn(page, 'doorbell_done') as bigint,
  requests: valueIn(page, 'requests') as bigint,
  error: errorCode(numberIn(page, 'error')),
  errorTick: numberIn(page, 'error_tick_low'),
})

/** The page that an earlier process left, where there is one that can be read. */
const pageBefore = (files: RegisterFiles | undefined): Uint8Array | undefined => {
  try {
    return files?.before()
  } catch {
    return undefined // Told by the first write, which fails for the same reason.
  }
}

/** What is written to files, and how that went: told once for each change. */
const createState = (files: RegisterFiles | undefined, log: Log) => {
  const reasons: { page: string | null; control: string | null } = { page: null, control: null }
  return {
    attempt: <T>(what: keyof typeof reasons, work: () => T): T | undefined => {
      let reason: string | null = null
      try {
        return work()
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        return undefined
      } finally {
        if (reason !== reasons[what]) {
          if (reason === null) log.info({ what }, 'registers_again')
          else log.warn({ what, reason }, 'registers_failed')
        }
        reasons[what] = reason
      }
    },
    isWritten: (): boolean => reasons.page === null,
    shown: (isOwner: boolean): PageState => {
      const { page, control } = reasons
      const reason = page ?? control
      const state = files === undefined ? 'off' : page === null ? 'written' : 'failed'
      // A path is for nobody but the owner.
      return { state, reason: reason === null || isOwner ? reason : 'The owner of the node is told why.' }
    },
  }
}

/** Requests of a node: what is refused is an interrupt, and a line of the log. */
const requestsOf = (
  { setMode, log }: RegisterPorts,
  { interrupts, left }: { readonly interrupts: Interrupts; readonly left: Uint8Array | undefined },
): Requests => {
  const onFault = ({ code, message }: Fault): void => {
    interrupts.raise('error')
    log.warn({ code, message }, 'register_request_refused')
  }
  return createRequests({ setMode, onFault }, left === undefined ? undefined : requestsIn(left))
}

/** The newest page, and what made it. */
export interface PageWriter {
  /** The bytes that were written last. */
  readonly page: Uint8Array
  readonly interrupts: Interrupts
  /** Interrupts that wake nobody, as the owner set them. */
  readonly mask: number
  state(isOwner: boolean): PageState
  /** Reads what is asked for, begins it, and writes a page. Call it once a tick. */
  turn(): void
  /** Waits for what is being done, and writes the last page. */
  end(): Promise<void>
}

/** Writes the pages of a node. @param onPage told of each */
export const createPageWriter = (ports: RegisterPorts, onPage: () => void): PageWriter => {
  const { sources, files, log } = ports
  const { store } = sources
  const left = pageBefore(files)
  const page = new Uint8Array(PAGE_BYTES)
  const interrupts = createInterrupts({
    status: numberIn(left, 'irq_status'),
    acknowledged: numberIn(left, 'irq_acked'),
  })
  const causes = createCauses(sources)
  const state = createState(files, log)
  const requests = requestsOf(ports, { interrupts, left })
  let isEnded = false
  let mask = 0
  let acting: Promise<void> | undefined

  /** Fills the page anew and writes it. @param word of `irq_ack`; undefined where it was not read. */
  const write = (word: number | undefined): void => {
    const moment = store.now()
    interrupts.turn(word, moment.tick, moment.tick === numberIn(page, 'tick'))
    const { status, acknowledged } = interrupts
    const turn = { moment, status, acknowledged, requests: requests.now, layoutDigest: layoutDigest() }
    fill(page, valuesOf(sources, turn))
    sumPage(page)
    if (files !== undefined) state.attempt('page', () => files.write(page))
    onPage()
  }

  write(undefined)
  return {
    page,
    interrupts,
    get mask() {
      return mask
    },
    state: state.shown,
    turn: () => {
      if (isEnded) return
      const heard = { doorbell: requests.now.done, acknowledged: interrupts.acknowledged }
      let asked: ControlWords | undefined
      // Where no answer can be written nothing is asked.
      if (files !== undefined && state.isWritten()) asked = state.attempt('control', () => files.read(heard))
      if (asked !== undefined) mask = asked.mask
      for (const cause of causes()) interrupts.raise(cause)
      const begun = requests.tick(asked, store.now().tick)
      if (begun !== undefined) acting = begun.then(() => (isEnded ? undefined : write(undefined)))
      write(asked?.acknowledged)
    },
    end: async () => {
      await acting
      // The last page says that the node stops; from here on its tick stands still.
      write(undefined)
      isEnded = true
      files?.[Symbol.dispose]()
    },
  }
}
