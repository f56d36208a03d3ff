import { type TestNode, testNode } from '../kit/node.ts'
import { tempDir } from '../kit/temp.ts'
import { acquainted, listOf, type Member, member, passing, sound } from './token-kit.ts'
import { joinInMemory } from './token-wire.ts'
import { joining } from './witness-kit.ts'

/** Two nodes that know of each other's accounts, and whose tokens go by streams in memory. */
export const pair = async (stack: AsyncDisposableStack, signal: AbortSignal) => {
  const [aDir, bDir] = [stack.use(tempDir()), stack.use(tempDir())]
  const nodes = new AsyncDisposableStack()
  const a = nodes.use(await testNode({ directory: aDir.path, settings: { 'p2p.enabled': true } }))
  const b = nodes.use(await joining([a], { directory: bDir.path }))
  const [ann, bob] = [await member(a), await member(b)]
  await acquainted([a, b], [ann, bob], signal)
  joinInMemory(a, [b])
  joinInMemory(b, [a])
  stack.defer(async () => {
    await nodes.disposeAsync()
    for (const it of [aDir, bDir]) await sound(it.path)
  })
  return { a, b, ann, bob }
}

/** Waits until tokens are whole in somebody's list. */
export const arrived = (nodes: readonly TestNode[], who: Member, tokens: readonly string[], signal: AbortSignal) =>
  passing(
    nodes,
    async () => {
      const mine = (await listOf(who)).filter((it) => tokens.includes(it.token_id))
      return mine.length === tokens.length && mine.every((it) => it.arrival !== 'arriving')
    },
    signal,
  )
