import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import type { Caller } from '#core/caller.ts'
import type { FaultCode } from '#core/fault.ts'
import type { Repeat } from '#core/once.ts'
import type { Pushing } from '#core/pushing.ts'
import type { Preset } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import type { Services } from '#domain/services.ts'
import type { Access } from './access.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Tier = 'computation' | 'machine-control'

/** The manifest's domains; `src/domain`, `src/api` and `test` carry the folder names beside them. */
export const domains = {
  compute: 'compute',
  'state-machines': 'machines',
  contracts: 'contracts',
  'agents-ai': 'agents',
  economy: 'economy',
  'identity-access': 'identity',
  'vault-encryption': 'vault',
  'messaging-files': 'messaging',
  'network-governance': 'network',
  apps: 'apps',
  'explorer-platform': 'explorer',
} as const
export type Domain = keyof typeof domains

/** Members of an input that a caller may leave out because the reader puts their default there. */
type PresetOf<I extends TObject> = {
  [K in keyof I['properties']]: I['properties'][K] extends Preset ? K : never
}[keyof I['properties']]

/** What a caller sends: the input as a handler has it, but for members with a default, which may be left out. */
export type CallerInput<I extends TObject> = Omit<View<I>, PresetOf<I>> &
  Partial<Pick<View<I>, PresetOf<I> & keyof View<I>>>

/**
 * A result with `ok: true` before its members: the gateway says so, no handler does. Where the members have a name, the
 * answer is `<name>Answer`.
 */
export const answered = <P extends TProperties>({ properties, title }: TObject<P> & { readonly title?: string }) =>
  Type.Object(
    { ok: Type.Unsafe<true>(Type.Boolean()), ...properties },
    title === undefined ? {} : { title: `${title}Answer` },
  )

/** What a handler gives for a result. One whose `ok` may be false is the handler's to decide, and to give whole. */
export type HandlerResult<R extends TSchema> = Unmarked<View<R>>
type Unmarked<V> = V extends { readonly ok: true } ? { readonly [K in keyof V as Exclude<K, 'ok'>]: V[K] } : V

/** What a service answers without the word whether it is the answer of an earlier call. */
export type WithoutReplayed<T> = T extends unknown ? Omit<T, 'replayed'> : never

/**
 * Does what an idempotent endpoint is there for, once for an Idempotency-Key: the service keeps its answer in the batch
 * of the effect, and says whether this one is that of an earlier call. The caller hears of it in the header.
 */
export type Once = <T extends { readonly replayed?: boolean }>(
  work: (repeat: Repeat) => Promise<T>,
) => Promise<WithoutReplayed<T>>

/** What a handler learns of the request: never where a value came from. */
export interface Call<I extends TObject> {
  readonly input: View<I>
  /** What the address says beside the input: members of the endpoint's `query`, for a call with a body. */
  readonly query: Readonly<Record<string, unknown>>
  readonly caller: Caller
  /** The endpoint's own route, whichever of its names was called. */
  readonly route: string
  /** Aborts when the client leaves or the node stops. */
  readonly signal: AbortSignal
  /** The few header fields that have meaning of their own. */
  readonly headers: {
    readonly prefer?: string
    readonly accept?: string
    readonly lastEventId?: string
    readonly handshake?: string
    readonly ifMatch?: string
    readonly host?: string
  }
  /** The exact bytes of the body, where the endpoint takes them. */
  readonly body?: Uint8Array
  /** The API key that was presented, where a secret is made of it. */
  readonly bearer?: string
  readonly once: Once
}

/** An answer that is more than a JSON body with status 200. */
export interface Answer<R> {
  readonly answer: true
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON of the result schema, or text or bytes of `type`: all at once, or as they come. */
  readonly body: R | Uint8Array | string | AsyncIterable<Uint8Array>
  /** Media type; JSON when absent. */
  readonly type?: string
  /** A session of the page that begins with this answer. */
  readonly session?: { readonly token: string; readonly maxAgeSeconds: number }
}
/** Marks what a handler returns as more than a body: with a status, headers or a media type of its own. */
export const answer = <R>(it: Omit<Answer<R>, 'answer'>): Answer<R> => ({ answer: true, ...it })

/** What a call that may be repeated under an Idempotency-Key is refused with beside its own refusals. */
export const idempotencyFaults = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
] as const satisfies readonly FaultCode[]

/** One server-sent event. `id` is what Last-Event-ID resumes after. */
export interface Frame {
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

/** Bounds of one endpoint, where they are not those of every other. */
export interface CallLimits {
  /** Calls of one address bucket in a minute, counted by themselves, whatever is presented. */
  readonly callsPerMinute?: number
  /** Bytes that a body may have: more than the bound for every other, or fewer where it is taken as bytes. */
  readonly bodyBytes?: number
  /** A list of the input that may fill such a body: it is read as it comes, and never held as text. */
  readonly longList?: string
  /** Calls that are answered at one time, whoever makes them. */
  readonly atOnce?: number
  /** Not counted at all: whoever watches the node must hear from it when others have used up their calls. */
  readonly unlimited?: true
  /** Counts as one call whatever the size of its body: what it asks for is bounded in another way. */
  readonly oneCall?: true
}

/** Headers that answers of some endpoints carry; those of all are the gateway's. */
export type AnswerHeader =
  | 'Access-Control-Allow-Origin'
  | 'Cache-Control'
  | 'Content-Disposition'
  | 'Content-Security-Policy'
  | 'ETag'
  | 'Location'
  | 'Set-Cookie'
  | 'X-Source-Digest'
  /** With it come the other headers of a seal. */
  | 'X-Svc-Sealed'

/** Names of the members of a value; any name where its type says nothing. */
type Member<T> = [keyof T] extends [never] ? string : keyof T & string

/** What the audit says of a success: the event, and which members of input and result it names. Never a secret. */
export interface AuditRow<I extends TObject = TObject, R extends TSchema = TSchema> {
  readonly event: string
  readonly input?: readonly Member<View<I>>[]
  readonly result?: readonly Member<View<R>>[]
}

/**
 * One operation of the node, whole. `{name}` parts of the route are filled from the input by name; the rest of the
 * input is the query of a GET or DELETE and the body of anything else.
 */
export interface Endpoint<
  Id extends string = string,
  I extends TObject = TObject,
  R extends TSchema = TSchema,
  Route extends `${Method} /${string}` = `${Method} /${string}`,
> {
  /** `<domain folder>.<verb or noun>`, e.g. `economy.envelopes`. */
  readonly id: Id
  readonly route: Route
  /** Legacy routes of the same operation. */
  readonly also?: readonly `${Method} /${string}`[]
  readonly domain: Domain
  readonly tier: Tier
  readonly summary: string
  readonly access: Access
  readonly limits?: CallLimits
  /**
   * Acts though its method is safe. `true`: so it is held to the rules of what does, and no link in a mail calls it.
   * `by-link`: it is a link, which a person opens from anywhere; it is no GET that a HEAD could stand for.
   */
  readonly acts?: true | 'by-link'
  /** Has its effect once for an Idempotency-Key: its work goes through `call.once`. */
  readonly idempotent?: true
  /** Heeds `If-Match`: a version that the caller goes by, and without which nothing is done. */
  readonly matches?: true
  /** There is an audit line of each success: someone gains or loses a right, or a secret leaves the node. */
  readonly audit?: AuditRow<NoInfer<I>, NoInfer<R>>
  readonly input: I
  /** How the answer is wanted, in the query of a call whose input is its body: never what is computed. */
  readonly query?: TObject
  readonly result: R
  /** Status of an answer that has made something, or leads on; 200 unless said. */
  readonly status?: 201 | 303
  /** Headers that its answers carry beside those of all. */
  readonly sends?: readonly AnswerHeader[]
  /** The call may become a job (`Prefer: respond-async`): then the answer is 202 with what has this schema. */
  readonly defers?: TSchema
  readonly faults: readonly FaultCode[]
  readonly example: CallerInput<I>
  /** What only the machine-readable description has. */
  readonly describe?: { readonly tags?: readonly string[]; readonly 'x-solver'?: Readonly<Record<string, unknown>> }
  /** A list of the input that the body may be alone: as JSON, or as NDJSON with an element a line. */
  readonly listed?: string
  /** A secret that both sides share is made of the API key that was presented: the handler is given it. */
  readonly keyed?: true
  /** The body is no JSON of the input but bytes, whose meaning is the handler's. */
  readonly takes?: 'bytes'
  /** What a person who asks for a page sees in place of a refusal: HTML, in which nothing of the request stands. */
  readonly refusalPage?: string
  /** Media types the answer may have beside JSON. */
  readonly produces?: readonly string[]
  /**
   * The answer follows from the input alone as long as the node runs: the gateway keeps what it wrote and asks no more.
   * So it is a plain body, and neither caller, clock nor rows are in it.
   */
  readonly lasts?: true
  /** The answer is a stream of server-sent events, and `result` is the schema of one event's data. */
  readonly streams?: true
  /** It is opened as a WebSocket, and what is handled is the opening. Without the wish for one it is refused. */
  readonly socket?: true
  /** Answers, or (server-sent events) yields frames until the signal aborts. */
  handle(
    services: Services,
    call: Call<I>,
  ):
    | Promise<HandlerResult<R> | Answer<HandlerResult<R>>>
    | HandlerResult<R>
    | Answer<HandlerResult<R>>
    | AsyncIterable<Frame>
    | Pushing
}

/** Writes an endpoint down, so that the types of its input, result and id are kept. */
export const endpoint = <
  const Id extends string,
  I extends TObject,
  R extends TSchema,
  const Route extends `${Method} /${string}`,
>(
  definition: Endpoint<Id, I, R, Route>,
): Endpoint<Id, I, R, Route> => definition
