import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A proxy before the facilitator, which answers in its place for as long as a test says so. */
export type RefusingFacilitator = AsyncDisposable & {
  readonly url: string
  /** Answers requests for paths that begin so by itself, while `during` runs. */
  answering<T>(
    path: string,
    status: number,
    body: Readonly<Record<string, unknown>>,
    during: () => Promise<T>,
  ): Promise<T>
}

export async function startRefusingFacilitator(realUrl: string): Promise<RefusingFacilitator> {
  let rule: { readonly path: string; readonly status: number; readonly body: object } | undefined
  const server = createServer((request, response) => {
    void (async () => {
      const [path, content] = [request.url ?? '/', await text(request)]
      if (rule !== undefined && path.startsWith(rule.path)) {
        response.writeHead(rule.status, { 'content-type': 'application/json' }).end(JSON.stringify(rule.body))
        return
      }
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(
          (entry): entry is [string, string] =>
            typeof entry[1] === 'string' &&
            !['host', 'connection', 'content-length', 'transfer-encoding'].includes(entry[0]),
        ),
      )
      const answer = await fetch(realUrl + path, {
        method: request.method ?? 'GET',
        headers,
        ...(content === '' ? {} : { body: content }),
      })
      response
        .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
        .end(await answer.text())
    })().catch(() => {
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async answering(path, status, body, during) {
      rule = { path, status, body }
      try {
        return await during()
      } finally {
        rule = undefined
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
