import { type Advisory, readAdvisories } from '#core/advisory.ts'
import list from '#protocols/advisories.json' with { type: 'json' }

let shipped: readonly Advisory[] | undefined

/** What is known to be wrong, as this release has it; read when it is first asked for. */
export const advisoriesHere = (): readonly Advisory[] => {
  shipped ??= readAdvisories(list)
  return shipped
}
