import type { IncomingMessage } from 'node:http'
import { Refusal } from '../errors.ts'

/** The whole body, within its bound; `wanted` is called before it is waited for. @throws Refusal */
export async function readBody(
  request: IncomingMessage,
  mostBytes: number,
  wanted: () => void = () => undefined,
): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes)
  wanted()
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > mostBytes) throw tooLarge(mostBytes)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal(400, 'body_incomplete', 'the body ended before it was whole', { cause })
  }
  return Buffer.concat(chunks)
}

function tooLarge(mostBytes: number): Refusal {
  return new Refusal(413, 'body_too_large', `a body has at most ${mostBytes} bytes`)
}
