import { Fault, type FaultCode } from '#core/fault.ts'
import { controlRegisters, modeValues, registerIn } from '#core/mmio/table.ts'
import type { Mode } from '#core/work/mode.ts'
import type { ControlWords } from './asked.ts'

const requestValues = registerIn(controlRegisters, 'request').values ?? []

/** What became of requests. */
export interface RequestWords {
  /** The doorbell that was acted on last. */
  readonly done: bigint
  readonly requests: bigint
  /** Code of the newest request's fault; undefined when it was done, and before the first. */
  readonly error: FaultCode | undefined
  /** Node tick of the last fault. */
  readonly errorTick: number
}

/** Doorbells and what they ask for. */
export interface Requests {
  readonly now: RequestWords
  /**
   * One read of the control file, once a tick; undefined where there was nothing to read. Acts when two reads in a row
   * agree. @returns what is done of it, if anything is asked for.
   */
  tick(asked: ControlWords | undefined, tick: number): Promise<void> | undefined
}

interface RequestPorts {
  /** Acts as the owner of the node. @throws Fault as `POST /api/contribute/mode` does. */
  readonly setMode: (mode: Mode) => Promise<unknown>
  /** Told of each fault. */
  readonly onFault: (fault: Fault) => void
}

/** @throws Fault INVALID_INPUT for a request or an argument that no value has. */
const modeIn = ({ request, argument }: ControlWords): Mode => {
  if (requestValues[request] !== 'mode') throw new Fault('INVALID_INPUT', `No request has the number ${request}.`)
  const mode = modeValues[argument]
  if (mode === undefined) throw new Fault('INVALID_INPUT', `No mode has the number ${argument}.`)
  return mode as Mode
}

const sameWords = (a: ControlWords, b: ControlWords): boolean =>
  a.doorbell === b.doorbell && a.request === b.request && a.argument === b.argument

/**
 * Requests by doorbell, one at a time.
 *
 * @param before what an earlier process acted on; undefined where nobody knows: then what the bell says at the first
 * read was acted on, for nobody can say when it was rung.
 */
export const createRequests = ({ setMode, onFault }: RequestPorts, before: RequestWords | undefined): Requests => {
  let now: RequestWords = before ?? { done: 0n, requests: 0n, error: undefined, errorTick: 0 }
  let isKnown = before !== undefined
  let last: ControlWords | undefined
  /** A bell that was complained of: it is told once. */
  let refused: bigint | undefined
  let isActing = false

  const fail = (cause: unknown, tick: number): void => {
    const fault = cause instanceof Fault ? cause : new Fault('STORE_FAILED')
    now = { ...now, error: fault.code, errorTick: tick }
    onFault(fault)
  }
  const complain = (doorbell: bigint, fault: Fault, tick: number): void => {
    if (refused !== doorbell) fail(fault, tick)
    refused = doorbell
  }

  const act = async (asked: ControlWords, tick: number): Promise<void> => {
    isActing = true
    try {
      await setMode(modeIn(asked))
      now = { ...now, error: undefined }
    } catch (cause) {
      fail(cause, tick)
    } finally {
      isActing = false
      now = { ...now, done: asked.doorbell, requests: now.requests + 1n }
    }
  }

  return {
    get now() {
      return now
    },
    tick: (asked, tick) => {
      const previous = last
      last = asked
      if (asked !== undefined && !isKnown) now = { ...now, done: asked.doorbell }
      isKnown = true
      if (asked === undefined || isActing || asked.doorbell === now.done) return undefined
      const { doorbell } = asked
      if (doorbell < now.done) {
        complain(doorbell, new Fault('INVALID_INPUT', `The doorbell went back to ${doorbell}.`), tick)
        return undefined
      }
      if (previous === undefined || previous.doorbell <= now.done) return undefined
      if (!sameWords(previous, asked)) {
        // Whoever rings before the first bell was heard asks for more than one thing a tick; the last one is heard.
        complain(doorbell, new Fault('RATE_LIMITED', 'One request a tick.'), tick)
        return undefined
      }
      return act(asked, tick)
    },
  }
}
