/** The rows of the table of help that are about channels. */
export const channelFaultHelp = {
  UPGRADE_REQUIRED: {
    when: 'A path that is a WebSocket was asked for without the wish for one.',
    remedy: 'Open it with a WebSocket client, version 13, at `ws://` or `wss://`.',
  },
  TEMPLATE_INVALID: {
    when: 'A place of the template is wrong, stands where no escape is safe, or names what the result does not have.',
    remedy: '`errors` lists each with its line and column. `protocols/wire/channel.md` has the rules.',
  },
  TICK_TAKEN: {
    when: 'Another call took this tick of the channel first, or the count is not the next one. Nothing was charged.',
    remedy: '`epoch` and `count` say where it stands. Read the head, or call again without `count` for the next tick.',
  },
  CHANNEL_CLOSED: {
    when: 'The channel was closed, or it was stopped: by refusals in a row, or because its errors passed the bound.',
    remedy: '`channel_status` says which. `PATCH` with `status: open` opens a stopped one; a closed one is over.',
  },
  LINK_EXPIRED: {
    when: 'A signed link was good, and its last mesh tick, `expired_mesh_tick`, is over.',
    remedy: 'Ask whoever gave it for another one. Links last a day unless longer is asked for, and thirty at most.',
  },
  PUBLIC_KEY_REQUIRED: {
    when: 'A secure channel was opened without `public_key`, by a session of the page, which has no key for it.',
    remedy: 'Send the 32 bytes of an X25519 public key as `public_key`, or call with an API key.',
  },
} as const
