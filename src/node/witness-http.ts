import { ADD_CHECKPOINT_BYTES_MAX } from '#core/add-checkpoint.ts'
import { ANSWER_BYTES_MAX, type PushAnswer, type WitnessTransport } from '#domain/network/witness/transport.ts'

/** Reads an answer within its bound. @throws Error when there is more. */
const bounded = async (response: Response, bytesMax: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`the answer is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

/** A path under a prefix of the policy. @throws Error for a prefix that is no address of the web. */
const under = (prefix: string, path: string): URL => {
  const url = new URL(`${prefix.replace(/\/+$/, '')}/${path}`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`${url.protocol} is no way to a witness`)
  return url
}

/**
 * Witnesses outside the mesh, by the HTTP of C2SP tlog-witness. Only addresses that the owner's own policy file names
 * are ever asked, and none that they redirect to.
 */
export const witnessHttp: Pick<WitnessTransport, 'post' | 'monitor'> = {
  post: async (prefix, body, signal): Promise<PushAnswer> => {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    const url = under(prefix, 'add-checkpoint')
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'error', signal })
    return { status: response.status, body: await bounded(response, ANSWER_BYTES_MAX) }
  },
  monitor: async (prefix, originHash, signal) => {
    const response = await fetch(under(prefix, `${originHash}/checkpoint`), { redirect: 'error', signal })
    const text = await bounded(response, ADD_CHECKPOINT_BYTES_MAX)
    return response.status === 200 ? text : undefined
  },
}
