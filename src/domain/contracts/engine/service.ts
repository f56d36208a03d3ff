import type { ContractContext } from '#domain/contracts/context.ts'
import { createAudits } from './audits.ts'
import { createEngine } from './engine.ts'
import { createLooks } from './looks.ts'
import { createFired, createManual } from './manual.ts'
import { createContractTx } from './submitted.ts'
import type { Outward } from './types.ts'
import { createVerify } from './verify.ts'

/** What makes contracts fire, and shows what they did. */
export const openEngine = (context: ContractContext, outward: Outward) => {
  const whole = { ...context, outward }
  const engine = createEngine(whole)
  const { beat, idle, takeUp } = engine
  const fired = createFired(whole, engine)
  return {
    engine: { beat, idle, takeUp, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() },
    calls: {
      ...createManual(whole, fired),
      ...createContractTx(whole, fired),
      ...createLooks(whole, engine),
      ...createAudits(whole),
      ...createVerify(whole),
    },
  }
}
