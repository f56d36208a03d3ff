import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Koa from 'koa'

/** The yardstick in a process of its own, as the node is. */
export const bareKoa = async (answerBytes: number): Promise<AsyncDisposable & { readonly url: string }> => {
  const child = fork(fileURLToPath(import.meta.url), [String(answerBytes)])
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

const serve = (answerBytes: number): void => {
  const app = new Koa()
  const body = JSON.stringify({ text: 'x'.repeat(Math.max(0, answerBytes - '{"text":""}'.length)) })
  app.use((context) => {
    context.type = 'application/json'
    context.body = body
  })
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serve(Number(process.argv[2]))
