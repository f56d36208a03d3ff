import { createChannelLinks } from './links.ts'
import { createSecureChannels, type SecurePorts } from './sessions.ts'

/** What the doors of channels stand on. */
export interface ChannelDoorOptions extends SecurePorts {
  /** 32 bytes of the node's, of which the keys of links are made. */
  readonly linkSecret: Uint8Array
}

/** Ways into a channel for whoever has no key of it: signed links, and sessions whose frames are encrypted. */
export const createChannelDoors = ({ linkSecret, ...ports }: ChannelDoorOptions) => ({
  ...createChannelLinks(ports, linkSecret),
  ...createSecureChannels(ports),
})

export type ChannelDoors = ReturnType<typeof createChannelDoors>
