import type { Endpoint } from '#api/endpoint.ts'
import { EVENT_STREAM } from './sse.ts'

/** Media types that an endpoint answers in beside JSON. */
export const producedBy = ({ produces = [], streams }: Pick<Endpoint, 'produces' | 'streams'>): readonly string[] =>
  streams === true ? [EVENT_STREAM, ...produces] : produces
