// Asks the node of this container whether it may be sent work: exit 0 when `/readyz` answers 200, else 1.
import { get } from 'node:http'

const TIMEOUT_MS = 4_000
const port = Number(process.env['TICKMESH_HTTP_PORT'] ?? 7770)

const fail = (/** @type {string} */ why) => {
  console.error(why)
  process.exit(1)
}

const request = get({ host: '127.0.0.1', port, path: '/readyz', timeout: TIMEOUT_MS }, (response) => {
  response.resume()
  response.on('end', () => (response.statusCode === 200 ? process.exit(0) : fail(`readyz: ${response.statusCode}`)))
})
request.on('timeout', () => fail(`readyz: no answer within ${TIMEOUT_MS} ms`))
request.on('error', (error) => fail(`readyz: ${error.message}`))
