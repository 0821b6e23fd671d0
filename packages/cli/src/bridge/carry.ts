import { randomUUID } from 'node:crypto'
import { signRequest, type Signer } from '@ergon/protocols'
import { failure, isFields, readMessage, type Message } from './messages.ts'
import { answered, reach } from './reach.ts'

export type CarryDeps = { readonly url: string; readonly signer: Signer; readonly chainId: number }

/** One message on its way to the tool server, as it came or as the bridge made it. */
export type Letter = {
  readonly line: string
  readonly message: Message
  /** The revision that was negotiated, where there is one. */
  readonly version: string | undefined
  readonly signal: AbortSignal
}

/** Every message that the service answers with, in order: of a stream there are several. */
export async function* carry(deps: CarryDeps, letter: Letter): AsyncGenerator<Message> {
  const response = await post(deps, letter)
  const { id } = letter.message
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true && response.body !== null) {
    for await (const data of eventsOf(response.body)) {
      const message = readMessage(data)
      if (message !== undefined) yield message
    }
    return
  }
  const text = await response.text()
  if (text === '' || id === undefined) return
  const answer = readMessage(text)
  yield answer !== undefined && 'jsonrpc' in answer ? answer : failure(id, answered(response.status), answer)
}

async function post(
  { url, signer, chainId }: CarryDeps,
  { line, message, version, signal }: Letter,
): Promise<Response> {
  const headers = headersOf(message, version)
  const signature = await signRequest(
    { method: 'POST', url, headers, body: line },
    { signer, chainId, now: Math.floor(Date.now() / 1_000), nonce: randomUUID() },
  )
  return reach(url, { method: 'POST', headers: { ...headers, ...signature }, body: line, redirect: 'error', signal })
}

/** The protocol repeats in headers what a proxy may want to know without reading the body. */
function headersOf({ method, params }: Message, version: string | undefined): Readonly<Record<string, string>> {
  const meta = params?.['_meta']
  const own = isFields(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
  const [spoken, name] = [
    typeof own === 'string' ? own : version,
    params?.['name'] ?? params?.['uri'] ?? params?.['taskId'],
  ]
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(spoken === undefined ? {} : { 'mcp-protocol-version': spoken }),
    ...(typeof own === 'string' && method !== undefined
      ? { 'mcp-method': method, ...(typeof name === 'string' ? { 'mcp-name': name } : {}) }
      : {}),
  }
}

/** The data of each event of a stream. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let held = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (held + piece).replaceAll('\r\n', '\n').split('\n\n')
    held = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n')
      if (data !== '') yield data
    }
  }
}
