import { request } from 'node:http'

export type Frame = { readonly event: string; readonly id: string; readonly data: Record<string, unknown> }

/** A stream of server-sent events that is listened to. */
export type Listening = AsyncDisposable & {
  readonly status: number
  /** What has come so far, comments left out. */
  frames(): readonly Frame[]
  /** What has come, as text; of a refusal its body. */
  text(): string
  /** Resolves when the service has ended it. */
  readonly ended: Promise<void>
}

/** Opens the stream, by POST where it takes a body. */
export async function listen(
  url: string,
  target: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Listening> {
  const { port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Listening>()
  const ended = Promise.withResolvers<undefined>()
  let text = ''
  const method = body === undefined ? 'GET' : 'POST'
  const outgoing = request({ host: '127.0.0.1', port, method, path: target, headers, agent: false }, (incoming) => {
    incoming.on('error', () => undefined)
    incoming.on('data', (bytes: Buffer) => {
      text += bytes.toString()
    })
    incoming.on('close', () => {
      ended.resolve(undefined)
    })
    resolve({
      status: incoming.statusCode ?? 0,
      frames: () => framesOf(text),
      text: () => text,
      ended: ended.promise,
      [Symbol.asyncDispose]: async () => {
        outgoing.destroy()
        await ended.promise
      },
    })
  })
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}

function framesOf(text: string): readonly Frame[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
    )
    const data = fields.get('data')
    if (data === undefined) return []
    // What a frame of ours carries.
    return [{ event: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) as Frame['data'] }]
  })
}
