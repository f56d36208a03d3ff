import { createOutwardCall } from '#domain/contracts/outward/call.ts'
import { targetRules } from '#domain/contracts/outward/targets.ts'

// Calls a server of the test, with whatever stands in the environment, and writes what it answered.
const port = process.argv[2] ?? ''
const call = createOutwardCall({ rules: targetRules([`127.0.0.1:${port}`]) })
const order = {
  method: 'GET',
  url: `http://127.0.0.1:${port}/`,
  headers: {},
  answerBytesMax: 100,
  whole: true,
} as const
const { body } = await call(order, AbortSignal.timeout(5_000))
process.stdout.write(body)
