import { Fault, type FaultCode } from '#core/fault.ts'

/** How inputs are refused with a code: the member by its path, why, and what else is known. The refusal throws. */
export const refusing =
  (code: FaultCode) =>
  (path: string, why: string, details: Readonly<Record<string, unknown>> = {}): never => {
    throw new Fault(code, `${path}: ${why}`, { path, ...details })
  }

/** Refuses an input that states no problem. @throws Fault INVALID_INPUT */
export const wrong = refusing('INVALID_INPUT')
