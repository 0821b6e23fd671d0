/** A node gave no answer that can be used. Whether it took what was sent is not known. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent'
  /** Set where the node asks for patience. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}

/** A node's own refusal, by the number JSON-RPC gives it. */
export class NodeFault extends Error {
  override readonly name = 'NodeFault'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** One Solana node over HTTP. @throws NodeSilent, NodeFault */
export type SolanaNode = { ask(method: string, params: readonly unknown[]): Promise<unknown> }

/** The largest answer asked for is the data of a program, a few hundred kilobytes in base64. */
const mostAnswerBytes = 4 * 1024 * 1024
const longestRetryAfterMs = 60_000
const usualRetryAfterMs = 1_000

/** @param url may carry a key, so no message repeats it. */
export function createNode(url: string, timeoutMs: number): SolanaNode {
  let lastId = 0
  return {
    async ask(method, params) {
      const id = (lastId += 1)
      const text = await post(url, timeoutMs, JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return resultOf(text, id)
    },
  }
}

async function post(url: string, timeoutMs: number, body: string): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 429) {
      await response.body?.cancel()
      throw new NodeSilent('the Solana node asks for patience', { retryAfterMs: retryAfterOf(response) })
    }
    // A refusal of JSON-RPC may come with any status, but never without its JSON.
    return await readBounded(response)
  } catch (cause) {
    if (cause instanceof NodeSilent) throw cause
    throw new NodeSilent('the Solana node does not answer', { cause })
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // The body of a response is made of such chunks.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > mostAnswerBytes) throw new NodeSilent('the Solana node answers too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  return seconds >= 0 ? Math.min(seconds * 1_000, longestRetryAfterMs) : usualRetryAfterMs
}

function resultOf(text: string, id: number): unknown {
  const answer = parse(text)
  if (answer['id'] !== id) throw new NodeSilent('the Solana node answers another question')
  const { error, result } = answer
  if (error === undefined || error === null) {
    if (result === undefined) throw new NodeSilent('the Solana node answers nothing')
    return result
  }
  if (typeof error !== 'object' || !('code' in error) || typeof error.code !== 'number')
    throw new NodeSilent('the Solana node refuses without saying why')
  const message = 'message' in error && typeof error.message === 'string' ? error.message.slice(0, 500) : 'refused'
  throw new NodeFault(error.code, message, 'data' in error ? error.data : undefined)
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new NodeSilent('the Solana node does not answer in JSON', { cause })
  }
  if (typeof value !== 'object' || value === null) throw new NodeSilent('the Solana node answers no call')
  // An object's fields are read as unknown.
  return value as Readonly<Record<string, unknown>>
}
