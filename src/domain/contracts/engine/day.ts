import { TICK_SECONDS } from '#core/tick.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { ContractRow } from '#store/rows/contract.ts'

/** The civil UTC day that a mesh tick begins in, in days since 1970. */
export const dayOf = (meshTick: number): number => Math.floor((meshTick * TICK_SECONDS) / SECONDS_PER_DAY)

/** What a contract used up on a day: nothing yet, where it last did so on another one. */
export const spentOn = ({ spent }: Pick<ContractRow, 'spent'>, day: number): ContractRow['spent'] =>
  spent.day === day ? spent : { day, credits: 0, fires: 0 }

/** Why a fire would go beyond what a contract may use up in a day; undefined while it does not. */
export const beyondBudget = (
  { budget: { credits_per_day, fires_per_day } }: Pick<Definition, 'budget'>,
  spent: ContractRow['spent'],
  more: { readonly credits: number },
): string | undefined => {
  if (fires_per_day !== undefined && spent.fires + 1 > fires_per_day)
    return `The contract has fired ${spent.fires} times today, and ${fires_per_day} are its budget.`
  const credits = spent.credits + more.credits
  if (credits_per_day === undefined || credits <= credits_per_day) return undefined
  return `This would be ${credits} credits today, and ${credits_per_day} are the contract's budget.`
}
