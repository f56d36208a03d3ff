import assert from 'node:assert/strict'
import { newAccount, openHouse } from '../../house.ts'
import { outboxRows, outwardOf, putContract, putNotice } from './outbox-kit.ts'

// A process that sends what stands in its outbox; the test kills the first one in the moment in which its call arrives.
const [directory = '', port = '', step = ''] = process.argv.slice(2)
const house = await openHouse(directory)
if (step === 'put') {
  const { caller } = await newAccount(house)
  await house.machines.create(caller, { slug: 'pump', is_public: true })
  await putContract(house, 'one', 'pump', [])
  await putNotice(house, { url: `http://127.0.0.1:${port}/`, body: 'once' })
}
if (step === 'empty') assert.deepEqual(await outboxRows(house), [])
const outward = outwardOf(house, [Number(port)])
await outward.run()
await outward.settled()
await outward[Symbol.asyncDispose]()
await house[Symbol.asyncDispose]()
