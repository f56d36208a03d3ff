// Goal: at a terminal a person drafts a proposal from a file, opens its vote, stakes, sees what counts and why, and is
// told by exit codes what may not be; what a person alone may do goes by a session that ends with it. Method: commands
// in this process on a real node.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { announce } from '#node/runtime.ts'
import { testNode } from '../kit/node.ts'
import { proposed } from '../kit/proposal.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { wealthyAccount } from '../kit/wealth.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/proposals')
const MS_MAX = 60_000

const detail = ({ answer }: { readonly answer: Readonly<Record<string, unknown>> }, name: string): unknown =>
  (answer['details'] as Readonly<Record<string, unknown>>)[name]

test(
  'a proposal from its file to a stake that counts',
  async (signal) => {
    using dir = tempDir()
    await using it = await testNode({ realTime: true })
    const { api_key, movable } = await wealthyAccount(it, { movable: 2 })
    const { here } = terminalIn(dir.path)
    const env = { TICKMESH_URL: it.url, TICKMESH_DATA: `${dir.path}/none`, TICKMESH_KEY: api_key }
    const run = (...args: readonly string[]) => here.run(['proposals', ...args], { env })
    const json = (...args: readonly string[]) => here.json(['proposals', ...args], { env })
    writeFileSync(join(dir.path, 'good.json'), JSON.stringify(proposed))
    writeFileSync(join(dir.path, 'few.json'), JSON.stringify({ ...proposed, cases: proposed.cases.slice(1) }))

    const few = await json('propose', 'few.json')
    assert.deepEqual([few.code, few.answer['code'], detail(few, 'cases')], [1, 'INVALID_INPUT', 2])
    const drafted = await json('propose', 'good.json')
    assert.deepEqual([drafted.code, drafted.answer['state']], [0, 'draft'])
    const id = String(drafted.answer['id'])
    assert.equal((await json('stake', id, 'yes', '--count', '1', '--yes')).answer['code'], 'VOTE_CLOSED')
    const asked = await json('open-vote', id)
    assert.deepEqual([asked.code, asked.answer['code']], [2, 'NOT_CONFIRMED'])
    assert.equal((await json('open-vote', id, '--yes')).answer['state'], 'voting')
    assert.match((await run('list')).stdout, /voting +XP1 +Kinetic energy of a body +\d+ d \d+ h left +yes 0, no 0/)

    const tokens = JSON.stringify(movable)
    const staked = await json('stake', id, 'yes', '--token-ids', tokens, '--yes')
    assert.equal(staked.code, 0, staked.stderr)
    await until(async () => {
      const { answer } = await json('show', id)
      return (answer['stakes'] as readonly { readonly counting: string }[])[0]?.counting === 'unwitnessed'
    }, signal)
    const { stdout } = await run('show', id)
    for (const part of [/yes 10, no 0, 1 staker: lacks zids, weight \(indicative\)/, /from +tickmesh\.log\/.*yes 10/]) {
      assert.match(stdout, part)
    }
    const other = await json('stake', id, 'no', '--count', '1', '--yes')
    assert.deepEqual([other.answer['code'], detail(other, 'side')], ['SIDE_FIXED', 'yes'])
    assert.equal((await json('resolve', id)).answer['code'], 'VOTE_CLOSED')
    assert.equal((await json('show', 'f'.repeat(64))).answer['code'], 'NOT_FOUND')
  },
  MS_MAX,
)

test(
  'promoting asks first, and goes by a session that is over afterwards',
  async () => {
    using dir = tempDir()
    await using it = await testNode({ realTime: true })
    using _ = announce(it.directory, { pid: process.pid, url: it.url, node: it.node.nodeId })
    const { api_key } = await it.client.call('identity.sign-up', {})
    const author = it.as(api_key)
    const { id } = await author.call('network.propose', proposed)
    await author.call('network.open-vote', { id })
    const { here } = terminalIn(dir.path)
    const json = (...args: readonly string[]) =>
      here.json(['proposals', ...args], { env: { TICKMESH_DATA: it.directory } })
    assert.equal((await json('promote', id)).answer['code'], 'NOT_CONFIRMED')
    const early = await json('promote', id, '--yes')
    assert.deepEqual([early.answer['code'], detail(early, 'state')], ['VOTE_CLOSED', 'voting'])
    const closed = it.lines.filter(({ level, event }) => level === 'audit' && event === 'session_closed')
    assert.equal(closed.length, 1)
  },
  MS_MAX,
)

test.run()
