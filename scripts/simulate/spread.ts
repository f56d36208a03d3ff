import type { Party } from './party.ts'
import { enter, type SimNode, type SimWork, type Told, type World } from './world.ts'

/** Ticks that a node gathers what came before it looks at it. */
const GATHER_TICKS = 3

/** Asks a node to look at what it knows, at a tick or before. */
export type Wake = (world: World, node: SimNode) => void
let act: Wake = () => undefined

/** Says what a node does when it wakes; it stands in a file above this one. */
export const onWake = (wake: Wake): void => {
  act = wake
}

/** Wakes a node at a tick, once however often it is asked for. */
export const wakeAt = (world: World, node: SimNode, tick: number): void => {
  const at = Math.max(tick, world.agenda.now)
  if (node.wakeAt >= world.agenda.now && node.wakeAt <= at) return
  node.wakeAt = at
  world.agenda.at(at, () => {
    if (node.wakeAt !== at) return
    node.wakeAt = -1
    act(world, node)
  })
}

const take = (world: World, node: SimNode, work: SimWork, told: Told | undefined): void => {
  node.works.set(work.key, work)
  if (told !== undefined && !node.known.has(told.id) && enter(world, told) !== null) node.known.set(told.id, told)
  wakeAt(world, node, world.agenda.now + GATHER_TICKS)
}

/** Brings a work, and an event about it, to all that follow the work. */
export const spread = (world: World, by: Party, work: SimWork, told?: Told): void => {
  if (told !== undefined) work.said.push(told)
  for (const index of work.followers) {
    const node = world.nodes[index] as SimNode
    if (index === by.index) take(world, node, work, told)
    else world.network.deliver(by.index, index, () => take(world, node, work, told))
  }
}

/** Brings one who begins to follow a work all that was said about it. */
export const catchUp = (world: World, work: SimWork, who: Party): void => {
  if (who.index !== work.requester.index) work.followers.add(who.index)
  const node = world.nodes[who.index] as SimNode
  const source = work.requester
  world.network.deliver(source.index, who.index, () => {
    take(world, node, work, undefined)
    for (const told of work.said) take(world, node, work, told)
  })
}
