import { type LaneOrder, type LaneReply, searchLane } from '#core/work-crew.ts'

/*
 * A worker of the page's daily claim. It is sent one `LaneOrder`, tells of its progress about ten times a second
 * ({kind: 'tried', tried, ms}), and last of the nonce ({kind: 'found', nonce}); whoever began it ends it.
 */
addEventListener('message', ({ data }: MessageEvent<LaneOrder>) => {
  searchLane(
    data,
    () => performance.now(),
    (it) => postMessage(it satisfies LaneReply),
  )
})
