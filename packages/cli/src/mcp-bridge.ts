import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { signRequest, type Signer } from '@ergon/protocols'

type Message = { readonly id?: unknown; readonly method?: string; readonly params?: Readonly<Record<string, unknown>> }
export type BridgeDeps = {
  readonly url: string
  readonly signer: Signer
  readonly chainId: number
  readonly input: Readable
  readonly write: (line: string) => void
  readonly stopped: AbortSignal
}

/**
 * Carries messages of the tool protocol between a client on stdio and the tool server, signing each request: clients
 * cannot sign for themselves (decision 0072). It changes no message.
 */
export async function runBridge(deps: BridgeDeps): Promise<number> {
  const underWay = new Map<unknown, AbortController>()
  const pending = new Set<Promise<void>>()
  let version: string | undefined
  let count = 0
  const lines = createInterface({ input: deps.input, crlfDelay: Infinity })
  deps.stopped.addEventListener(
    'abort',
    () => {
      lines.close()
    },
    { once: true },
  )
  for await (const line of lines) {
    if (line.trim() === '') continue
    count += 1
    const message = readMessage(line)
    if (message === undefined) {
      deps.write(
        JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'the line is no JSON object' } }),
      )
      continue
    }
    if (message.method === 'notifications/cancelled') underWay.get(message.params?.['requestId'])?.abort()
    const abort = new AbortController()
    if (message.id !== undefined) underWay.set(message.id, abort)
    const done = carry(deps, line, message, version, abort.signal, (answered) => {
      version ??= answered
    }).finally(() => {
      underWay.delete(message.id)
      pending.delete(done)
    })
    pending.add(done)
  }
  // Whoever closed the input waits for no answer.
  for (const abort of underWay.values()) abort.abort()
  await Promise.allSettled(pending)
  return count
}

async function carry(
  deps: BridgeDeps,
  line: string,
  message: Message,
  version: string | undefined,
  signal: AbortSignal,
  negotiated: (version: string) => void,
): Promise<void> {
  try {
    const response = await post(deps, line, headersOf(message, version), signal)
    await relay(response, message, (text) => {
      if (message.method === 'initialize') {
        const answer = versionIn(text)
        if (answer !== undefined) negotiated(answer)
      }
      deps.write(text)
    })
  } catch (error) {
    if (message.id !== undefined && !signal.aborted)
      deps.write(refusal(message.id, error instanceof Error ? error.message : String(error)))
  }
}

async function post(
  { url, signer, chainId }: BridgeDeps,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const signature = await signRequest(
    { method: 'POST', url, headers, body },
    { signer, chainId, now: Math.floor(Date.now() / 1_000), nonce: randomUUID() },
  )
  return fetch(url, { method: 'POST', headers: { ...headers, ...signature }, body, redirect: 'error', signal })
}

/** The protocol repeats in headers what a proxy may want to know without reading the body. */
function headersOf({ method, params }: Message, version: string | undefined): Readonly<Record<string, string>> {
  const meta = params?.['_meta']
  const own: unknown =
    typeof meta === 'object' && meta !== null && 'io.modelcontextprotocol/protocolVersion' in meta
      ? meta['io.modelcontextprotocol/protocolVersion']
      : undefined
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

/** One JSON answer, or a stream of messages. */
async function relay(response: Response, { id }: Message, write: (text: string) => void): Promise<void> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true && response.body !== null) {
    for await (const data of eventsOf(response.body)) write(data)
    return
  }
  const text = await response.text()
  if (text === '' || id === undefined) return
  const answer = readMessage(text)
  if (answer !== undefined && 'jsonrpc' in answer) write(JSON.stringify(answer))
  else write(refusal(id, `the tool server answered ${String(response.status)}`, answer))
}

/** The data of each event of a stream, one line each as stdio wants it. */
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
      if (data !== '') yield JSON.stringify(JSON.parse(data))
    }
  }
}

function refusal(id: unknown, message: string, data?: unknown): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message, ...(data === undefined ? {} : { data }) },
  })
}

function readMessage(text: string): Message | undefined {
  try {
    const read: unknown = JSON.parse(text)
    // What is looked at is looked at as unknown; the rest travels on unread.
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}

function versionIn(text: string): string | undefined {
  const answer = readMessage(text)
  const result: unknown = answer !== undefined && 'result' in answer ? answer.result : undefined
  return typeof result === 'object' &&
    result !== null &&
    'protocolVersion' in result &&
    typeof result.protocolVersion === 'string'
    ? result.protocolVersion
    : undefined
}
