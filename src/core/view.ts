import type { Static, TSchema } from 'typebox'
import type { Json } from './canonical.ts'

type Plain = string | number | boolean | bigint | null | undefined

/** A value that its reader may not write to, at any depth. Any JSON and what is unknown stay as they are. */
export type DeepReadonly<T> = [Json] extends [T] ? T : Within<T>
type Within<T> = T extends Plain ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> }

/** What a schema describes, for whoever reads it. */
export type View<T extends TSchema> = DeepReadonly<Static<T>>
