import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { entering } from './dues.ts'
import type { ReadyContract } from './ready.ts'

/** Where a contract stands before its first fire. @param contract its digest. @param tick mesh tick of its creation */
export const beginning = (ready: ReadyContract, contract: string, tick: number): ContractStanding => {
  const { definition, initial: state } = ready
  const context = Object.fromEntries(
    Object.entries(definition.context).map(([name, { initial }]) => [name, initial as Scalar]),
  )
  const nowhere = { state: '', entered: { fire: contract, tick }, context, windows: {}, marks: {} }
  return entering(ready, nowhere, { state, fire: contract, tick })
}
