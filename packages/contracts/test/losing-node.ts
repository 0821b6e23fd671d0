import { once } from 'node:events'
import { createServer } from 'node:http'

/** A proxy before a node that loses its answers, though the node has taken what was asked. */
export type LosingNode = AsyncDisposable & {
  readonly url: string
  /** Called with each request. */
  decide: (method: string, body: string) => 'forward' | 'lose-answer'
}

export async function startLosingNode(rpcUrl: string): Promise<LosingNode> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set, so chunks are bytes
      const body = Buffer.concat(chunks).toString()
      const { method } = JSON.parse(body) as { readonly method: string } // the client sends one call at a time
      const decision = node.decide(method, body)
      const told = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const text = await told.text()
      if (decision === 'lose-answer') response.destroy()
      else response.setHeader('content-type', 'application/json').end(text)
    }
    answer().catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  const node: LosingNode = {
    url: `http://127.0.0.1:${String(address.port)}`,
    decide: () => 'forward',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}
