import { Fault } from '#core/fault.ts'

/** One thing wrong with a definition. */
export interface ContractFault {
  /** A JSON pointer into the definition. */
  readonly path: string
  readonly reason: string
  /** Characters before it, in the expression that the path points to. */
  readonly position?: number
}

/** Faults that are told; what has more is told so. */
const FAULTS_MAX = 1_000

/** Where faults are written down as they are found. */
export interface Sheet {
  add(path: string, reason: string, position?: number): void
  readonly faults: readonly ContractFault[]
}

/** An empty sheet. */
export const faultSheet = (): Sheet => {
  const faults: ContractFault[] = []
  return {
    faults,
    add(path, reason, position) {
      if (faults.length > FAULTS_MAX) return
      const full = faults.length === FAULTS_MAX
      const fault = { path, reason, ...(position === undefined ? {} : { position }) }
      faults.push(full ? { path: '', reason: `has more than ${FAULTS_MAX} faults` } : fault)
    },
  }
}

/** What a reader gives, or undefined after its refusal was written down. @throws what is no refusal of an input */
export const heard = <T>(sheet: Sheet, path: string, read: () => T): T | undefined => {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    const { position } = thrown.details
    sheet.add(path, thrown.message, typeof position === 'number' ? position : undefined)
    return undefined
  }
}
