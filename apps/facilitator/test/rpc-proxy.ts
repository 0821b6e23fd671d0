import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a request: passed on, lost on its way, or passed on with the answer lost. */
export type Fate = 'forward' | 'drop' | 'swallow-answer'
export type RpcProxy = AsyncDisposable & {
  readonly url: string
  /** Decides by the method names of each request, in order of arrival. */
  decide: (methods: readonly string[]) => Fate | Promise<Fate>
  /** Changes an answer on its way back. */
  rewrite: (methods: readonly string[], answer: string, request: string) => string
  readonly seen: string[]
}

/** A network between the facilitator and its node that can fail in chosen places. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const held = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
    })
    request.on('end', () => {
      void pass(Buffer.concat(chunks), response)
    })
  })
  const proxy = {
    decide: (): Fate | Promise<Fate> => 'forward',
    rewrite: (_: unknown, answer: string) => answer,
    seen: [] as string[],
    url: '',
  } as {
    decide: RpcProxy['decide']
    rewrite: RpcProxy['rewrite']
    seen: string[]
    url: string
  }
  const pass = async (body: Buffer, response: ServerResponse): Promise<void> => {
    const parsed = JSON.parse(body.toString()) as { method: string } | { method: string }[] // our own client sends it
    const methods = (Array.isArray(parsed) ? parsed : [parsed]).map((entry) => entry.method)
    const fate = await proxy.decide(methods)
    proxy.seen.push(...methods)
    if (fate === 'drop') {
      response.destroy()
      return
    }
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await answer.text()
    if (fate === 'swallow-answer') {
      held.add(response)
      return
    }
    response.setHeader('content-type', 'application/json').end(proxy.rewrite(methods, text, body.toString()))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  return Object.assign(proxy, {
    async [Symbol.asyncDispose]() {
      for (const response of held) response.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
