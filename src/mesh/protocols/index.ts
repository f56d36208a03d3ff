import type { Dialogue } from '#mesh/dialogue.ts'
import type { Exchange } from '#mesh/exchange.ts'
import type { Conversation, Protocol } from '#mesh/protocol.ts'
import { blobDialogue } from './blob.ts'
import { cosignedExchange } from './cosigned.ts'
import { execDialogue } from './exec.ts'
import { lookupExchange } from './lookup.ts'
import { reactorExchange } from './reactor.ts'
import { statusProtocol } from './status.ts'
import { syncProtocol } from './sync.ts'
import { tokenDialogue } from './token.ts'
import { witnessExchange } from './witness.ts'
import { witnessedExchange } from './witnessed.ts'

/** Every stream protocol with a fixed number of frames. */
export const protocols: readonly Protocol[] = [statusProtocol]

/** Every protocol whose course the domain has. */
export const conversations: readonly Conversation[] = [syncProtocol]

/** Every question that a part of this node may answer. */
export const exchanges: readonly Exchange[] = [
  witnessExchange,
  witnessedExchange,
  reactorExchange,
  cosignedExchange,
  lookupExchange,
]

/** Every question whose frames the domain has. */
export const dialogues: readonly Dialogue[] = [tokenDialogue, execDialogue, blobDialogue]
