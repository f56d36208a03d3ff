import { under } from '#store/layout.ts'
import { callerOf, type House, newAccount } from '../house.ts'

export type TallyCaller = Awaited<ReturnType<typeof newAccount>>['caller']

/** How a call writes to a machine. */
export const asWriting = (caller: TallyCaller, slug: string, idempotencyKey?: string) => ({
  ...{ caller, slug },
  ...{ scope: 'test', idempotencyKey },
})

/** An account with a machine that has a token. */
export const tokenHouse = async (
  house: House,
  { slug = 'pump', is_public = true, max_supply = 1_000, initial = 100 } = {},
) => {
  const account = await newAccount(house)
  const { api_key } = await house.machines.create(account.caller, { slug, is_public })
  const order = { name: 'Litres', symbol: 'LITRE', max_supply, initial }
  await house.machines.tokenGenesis(asWriting(account.caller, slug), order)
  return { ...account, slug, machineCaller: callerOf(house, api_key) }
}

/** Moves units from the owner of a machine, as its contracts do. */
export const sendUnits = (house: House, slug: string, to: string, amount: number) =>
  house.store.commit((tx) => house.machines.transferIn(tx, { machine: tx.get('machine', slug)!, to, amount, ref: 'r' }))

/** Bodies of a machine's entries of one type. */
export const bodiesOf = async (house: House, slug: string, type: string) => {
  const found: Record<string, unknown>[] = []
  for await (const [, { entry }] of house.store.range('machineEntry', under(slug))) {
    if (entry.type === type) found.push(entry.body as Record<string, unknown>)
  }
  return found
}

/** Moves the clock, ends the tick, and has machines do what it brought. */
export const passTicks = async (house: House, ticks: number): Promise<void> => {
  house.clock.advanceTicks(ticks)
  await house.store.closeTick()
  await house.machines.beat()
}
