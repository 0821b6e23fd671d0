import type { IncomingMessage } from 'node:http'

/** The body as text; undefined as soon as it is larger than it may be. */
export async function readSmallBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  // A request read without an encoding yields buffers. Leaving the loop must not cut the line the refusal goes out on.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
