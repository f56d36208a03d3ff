import { BOND_TOKENS } from '#core/work/bond.ts'
import { ownerCaller } from '../domain/house.ts'
import { sealMany } from '../domain/network/contribution/kit.ts'
import type { TestNode } from '../kit/node.ts'
import { roomsOf } from '../kit/wealth.ts'

/** Has a node's owner bond and contribute. @returns the name of the bond */
export const contributing = async (it: TestNode): Promise<string> => {
  const rooms = roomsOf(it)
  const owner = ownerCaller(rooms)
  if (owner.kind !== 'owner') throw new Error('the link is the owner')
  await sealMany(rooms, owner, { count: BOND_TOKENS, funding: 'paid' })
  const { contribution } = it.node.services
  const { bond } = await contribution.bond(owner, { count: BOND_TOKENS })
  await contribution.setMode(owner, 'contributing')
  return bond
}

/** Jobs that a node took and gave. */
export const worksOf = (it: TestNode) => {
  const rooms = roomsOf(it)
  return it.node.services.works.list(ownerCaller(rooms), { limit: 200, offset: 0 })
}
