import { store, stored } from '#ui/server/storage.ts'

const PLACE = 'tickmesh.contract-draft'

const placeOf = (of: string): string => (of === '' ? PLACE : `${PLACE}:${of}`)

/** What was typed and not deployed, in this browser. @param of the contract that it changes; '' for a new one */
export const keptDraft = (of: string): string | undefined => stored(placeOf(of)) ?? undefined

/** Keeps what is typed, or forgets it. */
export const keepDraft = (of: string, text: string | undefined): void => store(placeOf(of), text ?? null)
