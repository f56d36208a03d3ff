import { type FaultCode, faultCodes } from '#core/fault.ts'

/** The number of a refusal in the register `error`: its row in the catalogue, from 1; 0 for none. */
export const errorNumber = (code: FaultCode | undefined): number =>
  code === undefined ? 0 : faultCodes.indexOf(code) + 1

/** The refusal of a number; undefined for 0, and for one that this release does not know. */
export const errorCode = (number: number): FaultCode | undefined => faultCodes[number - 1]
