// Goal: every template becomes a contract by either way, with values that fit, and what does not fit is named. Method:
// a real node over HTTP, all templates of protocols/contracts with the values that they are shown with.
import assert from 'node:assert/strict'
import { exampleOf } from '#domain/contracts/templates/fill.ts'
import { loadTemplates } from '#domain/contracts/templates/load.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { codeOf, leftIn, stageOf } from './contract-kit.ts'

const test = suite('domain: contracts, of templates')

test('all templates are deployed, and each says where it came from', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const all = loadTemplates()
  assert(all.length >= 24)
  for (const it of all) {
    const parameters = exampleOf(it)
    const { contract } = await owner.call('contracts.create', { slug: 'shut', template: it.id, parameters })
    const row = node.node.store.peek('contractFire', `${contract.id}/${'0'.repeat(14)}`)
    assert(row?.outcome === 'changed')
    const { template, parameters: kept } = row.details as { readonly template: string; readonly parameters: object }
    assert.deepEqual([template, Object.keys(kept)], [it.id, Object.keys(it.parameters)], it.id)
  }
  assert.equal((await owner.call('contracts.list', { slug: 'shut' })).total, all.length)
}, 60_000)

test('the path of the template and the body of the machine say the same; a wrong value makes nothing', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const [it] = loadTemplates()
  assert(it !== undefined)
  const parameters = exampleOf(it)
  const order = { slug: 'open', parameters, start: true }
  const { contract } = await owner.call('contracts.template-deploy', { ...order, id: it.id })
  const { contract: same } = await owner.call('contracts.create', { ...order, template: it.id })
  assert.deepEqual([contract.version, contract.status], [same.version, 'live'])
  const before = await leftIn(node)
  const deploy = (id: string, more: object, key = keys.owner) =>
    codeOf(node.as(key).call('contracts.template-deploy', { ...order, id, ...more }))
  assert.equal(await deploy('no-such-template', {}), 'NOT_FOUND')
  assert.equal(await deploy(it.id, { parameters: { ...parameters, no_such: 1 } }), 'CONTRACT_INVALID')
  assert.equal(await deploy(it.id, { slug: 'absent' }), 'NOT_FOUND')
  assert.equal(await deploy(it.id, {}, keys.member), 'SCOPE_REQUIRED')
  assert.equal(await deploy(it.id, { slug: 'shut' }, keys.stranger), 'NOT_FOUND')
  assert.equal(await deploy(it.id, { slug: 'shut' }, keys.adminKey), 'SCOPE_REQUIRED')
  assert.equal(await leftIn(node), before)
})

test.run()
