// Goal: the owner bonds, sets modes and releases at a terminal, is told first what it costs and risks, and nothing is
// done unasked; every refusal has its exit code. Method: commands in this process on a real node whose owner has what a
// bond takes.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyFiles } from '#domain/identity/node-keys.ts'
import { ownerCaller } from '../domain/house.ts'
import { sealMany } from '../domain/network/contribution/kit.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { roomsOf } from '../kit/wealth.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/contribute')

test('status, bond, mode, release, policy and census, each in words and as JSON', async () => {
  using dir = tempDir()
  await using it = await testNode()
  const home = dir.path
  const { here } = terminalIn(home)
  const key = readFileSync(join(it.directory, keyFiles.owner), 'utf8').trim()
  const env = { TICKMESH_URL: it.url, TICKMESH_DATA: it.directory, TICKMESH_KEY: key }
  const run = (...args: readonly string[]) => here.run(args, { env })
  const json = (...args: readonly string[]) => here.json(args, { env })

  const none = await run('contribute', 'status')
  assert.equal(none.code, 0, none.stderr)
  assert.match(
    none.stdout,
    /mode\s+idle[\s\S]*bond\s+none; you have 0 of 1000[\s\S]*days to a bond\s+24[\s\S]*works open\s+0 of 64/,
  )
  assert.equal((await run('contribute', 'mode', 'contributing')).code, 1)
  assert.equal((await run('contribute', 'mode', 'asleep')).code, 2)
  assert.equal((await run('contribute', 'release')).code, 1)
  const few = await run('contribute', 'bond', '--yes')
  assert.equal(few.code, 1)
  assert.match(few.stderr, /BOND_TOO_SMALL/)

  const rooms = roomsOf(it)
  const owner = ownerCaller(rooms)
  assert.ok(owner.kind === 'owner')
  const tokens = await sealMany(rooms, owner, { count: 1_000, funding: 'paid' })
  const file = join(home, 'tokens.txt')
  writeFileSync(file, 'no token\n')
  assert.equal((await run('contribute', 'bond', '--yes', '--tokens', `@${file}`)).code, 2)
  writeFileSync(file, `${tokens.join('\n')}\n`)
  const unasked = await run('contribute', 'bond', '--tokens', `@${file}`)
  assert.equal(unasked.code, 2)
  assert.match(unasked.stderr, /all of them are lost for good/)
  assert.equal((await it.client.call('network.contribute-census', {})).modes.length, 0)

  const bonded = await run('contribute', 'bond', '--yes', '--tokens', `@${file}`)
  assert.equal(bonded.code, 0, bonded.stderr)
  assert.match(bonded.stdout, /1000 envelopes are tied, 3000 at risk/)
  assert.equal((await run('contribute', 'bond', '--yes')).code, 1)
  assert.match((await run('contribute', 'mode', 'contributing')).stdout, /the node is contributing/)
  const status = await json('contribute', 'status')
  assert.match(JSON.stringify(status), /"mode":"contributing"/)
  const words = (await run('contribute', 'status')).stdout
  assert.match(words, /state\s+held[\s\S]*envelopes\s+1000 of one home[\s\S]*at risk\s+3000[\s\S]*if released now/)
  const released = await run('contribute', 'release')
  assert.match(released.stdout, /free from \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  assert.match((await run('contribute', 'status')).stdout, /mode\s+idle[\s\S]*releasing[\s\S]*free from/)
  assert.match((await run('contribute', 'policy')).stdout, /bond[ _]envelopes\s+1000[\s\S]*Not promised/)
  assert.match((await run('contribute', 'census')).stdout, /no mode has three nodes or more/)
}, 120_000)

test.run()
