// Goal: what a browser's own WebSocket and its own EventSource hear of a channel is each tick once and each gap once,
// through cut connections, a node that ends and one that is killed, to the end of the channel. Method: Chromium on a
// page of the node, the channel's key among the subprotocols of the socket; the way that all clients go.
import type { Page } from 'playwright-core'
import { type ChannelReader, followChannel } from '../api/compute/followed-channel.ts'
import { followEvents, followSocket, type ReaderNotes, type ReaderOrder } from '../kit/channel-readers.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { browserSuite } from './browser.ts'

const test = browserSuite('ui/channel-clients')

/** Follows in a page, by a function that stands alone. What it was told stays in the page. */
const following = async (
  page: Page,
  by: ChannelReader['by'],
  { follow, order }: { readonly follow: (order: ReaderOrder) => ReaderNotes; readonly order: ReaderOrder },
): Promise<ChannelReader> => {
  await page.evaluate(`globalThis.${by} = (${String(follow)})(${JSON.stringify(order)}); undefined`)
  return { name: `Chromium, ${by}`, by, notes: () => page.evaluate<ReaderNotes>(`globalThis.${by}`) }
}

test.alone('Chromium hears each tick once and each gap once by both, to the end', async (surf) => {
  using dir = tempDir()
  await followChannel({
    directory: dir.path,
    begin: async (order) => {
      const { page } = await surf.tab(await surf.profile(), order.base)
      return [
        await following(page, 'socket', { follow: followSocket, order }),
        await following(page, 'events', { follow: followEvents, order }),
      ]
    },
    until: (probe) => until(probe, surf.signal),
  })
})

test.run()
