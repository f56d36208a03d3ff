// Goal: whoever follows the transitions of a contract hears each once, through every restart of the node, and is told
// of those that are too long ago. Method: the client `eventsource`, which knows nothing of this node, on real nodes
// that come and go at one address; what it heard against the rows of the audit.
import { EventSource } from 'eventsource'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { followThrough, type Heard } from './followed.ts'

const test = suite('api: transitions of contracts, live')

test('eventsource hears each transition once through restarts, and how much it missed', async (signal) => {
  using dir = tempDir()
  let source: EventSource | undefined
  try {
    await followThrough(
      dir.path,
      async ({ it, key, path }) => {
        const heard: Heard[] = []
        source = new EventSource(`${it.url}${path}`, {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
        })
        for (const event of ['place', 'transition', 'gap']) {
          source.addEventListener(event, ({ lastEventId, data }) => heard.push({ event, id: lastEventId, data }))
        }
        return { heard: async () => heard }
      },
      (probe) => until(probe, signal),
    )
  } finally {
    source?.close()
  }
}, 30_000)

test.run()
