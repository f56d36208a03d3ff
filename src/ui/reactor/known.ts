import { knownIds } from '#ui/server/known-ids.ts'
import { REACTOR_ID } from './reactor.ts'

const known = knownIds('reactors', REACTOR_ID)

/** Ids of the reactors seen here: those of others, of which a node lists none, are found again by them. */
export const knownReactors = known.all

/** Puts a reactor at the head of the list. */
export const rememberReactor = known.remember

/** Takes a reactor from the list; the node keeps it. */
export const forgetReactor = known.forget
