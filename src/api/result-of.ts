import type { Static } from 'typebox'
import type { View } from '#core/view.ts'
import type { SolverName } from './compute/solver-endpoints.ts'
import type { CallerInput } from './endpoint.ts'
import type { endpoints } from './index.ts'

/** The endpoints as types: whoever calls the node names an endpoint, and so knows what it sends and what it gets. */

type Known = (typeof endpoints)[number]
type ById = { readonly [E in Known as E['id']]: E }

/** Ids of the endpoints. */
export type EndpointId = keyof ById

/** What may be left out of a solver's input: everything has a default, or is optional. */
type Part<T> = T extends readonly (infer E)[]
  ? readonly Part<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T

/** What a call of an endpoint sends. */
export type InputOf<Id extends EndpointId> = Id extends `compute.${SolverName}`
  ? Part<Static<ById[Id]['input']>>
  : CallerInput<ById[Id]['input']>

/** What it answers. */
export type ResultOf<Id extends EndpointId> = View<ById[Id]['result']>

type IdAt = { readonly [E in Known as E['route']]: E['id'] }

/** Routes of the endpoints as their literals write them: a caller that may not load the literals names one of these. */
export type RoutePath = keyof IdAt

/** What may be left out may be undefined as well: it does not go out. */
type Loose<T> = { readonly [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }

/** What a call of a route sends. */
export type InputAt<R extends RoutePath> = Loose<InputOf<IdAt[R]>>

/** What it answers. */
export type ResultAt<R extends RoutePath> = ResultOf<IdAt[R]>
