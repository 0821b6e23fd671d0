import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asBehind, saidBehind, type Call } from './lagging-backend.ts'

/** How a node says that a batch is too large for it. */
export type Refusing = 'with one error' | 'with an error in the list' | 'with a status' | 'by answering some'

/** A node as providers sell them, in front of a real one. */
export type NodeProxy = AsyncDisposable & {
  readonly url: string
  /** Lets nobody in, with this status: the key in its URL is over. It says so for people, or as JSON-RPC. */
  locked: false | { readonly status: number; readonly how: 'in HTML' | 'in JSON' | 'in a list' }
  /** Most calls in a request. */
  batchLimit: number
  refusing: Refusing
  /** Most blocks that one eth_getLogs may span. */
  logBlocks: number
  /** Is no development node: says it is another, and knows none of what only those do. */
  isPublic: boolean
  /** Never answers; `after` passes the request on first. */
  stalls: false | 'before' | 'after'
  /** Each so many'th request is answered 429; 0: none. */
  busyEvery: number
  /** For so many of the newest blocks it knows what accounts and contracts held. */
  stateBlocks: number
  /** Every other request goes to a backend that has so many blocks less. */
  behindBlocks: number
  /** How far away it is. */
  delayMs: number
  /** Requests that are yet answered 429. */
  busy: number
  /** What it says about its chain, instead of the truth. */
  chainId: number | undefined
  /** Calls of these methods fail, each as often as this says. */
  readonly failing: Map<string, number>
  /** The methods of every request, in order. */
  readonly seen: string[][]
  /** Ends all connections, as a proxy that is restarted does. */
  hangUp(): void
}

export async function startNodeProxy(target: string): Promise<NodeProxy> {
  const proxy = {
    url: '',
    locked: false as NodeProxy['locked'],
    batchLimit: Infinity,
    refusing: 'with one error' as Refusing,
    logBlocks: Infinity,
    isPublic: false,
    busyEvery: 0,
    stateBlocks: Infinity,
    behindBlocks: 0,
    stalls: false as NodeProxy['stalls'],
    delayMs: 0,
    busy: 0,
    chainId: undefined as number | undefined,
    failing: new Map<string, number>(),
    seen: [] as string[][],
  }
  const server = createServer((request, response) => {
    void readText(request).then((text) => answer(proxy, target, text, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  return Object.assign(proxy, {
    hangUp() {
      server.closeAllConnections()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

type Knobs = Omit<NodeProxy, 'hangUp' | typeof Symbol.asyncDispose>

async function answer(proxy: Knobs, target: string, text: string, response: ServerResponse): Promise<void> {
  const parsed = JSON.parse(text) as Call | Call[] // our own client sends it
  const calls = Array.isArray(parsed) ? parsed : [parsed]
  proxy.seen.push(calls.map(({ method }) => method))
  if (proxy.stalls === 'before') return
  if (proxy.locked !== false) {
    lockOut(proxy.locked, calls, response)
    return
  }
  if (proxy.busy > 0 || (proxy.busyEvery > 0 && proxy.seen.length % proxy.busyEvery === 0)) {
    proxy.busy = Math.max(0, proxy.busy - 1)
    response.writeHead(429, { 'retry-after': '0' }).end('slow down')
    return
  }
  if (Array.isArray(parsed) && calls.length > proxy.batchLimit && proxy.refusing !== 'by answering some') {
    refuse(proxy, response)
    return
  }
  const taken = calls.slice(0, proxy.batchLimit)
  const isBehind = proxy.behindBlocks > 0 && proxy.seen.length % 2 === 0
  const newest = isBehind || proxy.stateBlocks < Infinity ? await headOf(target) : 0
  const head = Math.max(0, newest - proxy.behindBlocks)
  const oldest = newest - proxy.stateBlocks
  const passed = taken.filter(
    (call) =>
      !takes(proxy, call.method) && !isTooWide(proxy, call) && !isOwn(proxy, call) && !isForgotten(call, oldest),
  )
  const asked = isBehind ? passed.map((call) => asBehind(call, head)) : passed
  const answers = asked.length === 0 ? [] : await forward(target, asked)
  if (proxy.stalls === 'after') return
  if (proxy.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, proxy.delayMs))
  const all = taken.map((call) => {
    const { id, method } = call
    const said = answers.find((one) => one.id === id)
    const found = said !== undefined && isBehind ? saidBehind(call, said, head) : said
    if (proxy.isPublic && method === 'web3_clientVersion') return { jsonrpc: '2.0', id, result: 'Geth/v1.15.11' }
    if (found === undefined) return { jsonrpc: '2.0', id, error: { code: -32000, message: 'header not found' } }
    return method === 'eth_chainId' && proxy.chainId !== undefined
      ? { ...found, result: `0x${proxy.chainId.toString(16)}` }
      : found
  })
  response.setHeader('content-type', 'application/json').end(JSON.stringify(Array.isArray(parsed) ? all : all[0]))
}

function isTooWide({ logBlocks }: Knobs, { method, params: [filter] }: Call): boolean {
  if (method !== 'eth_getLogs' || logBlocks === Infinity) return false
  const { fromBlock, toBlock } = filter as { readonly fromBlock: string; readonly toBlock: string } // our own client's
  return toBlock === 'latest' || Number(toBlock) - Number(fromBlock) >= logBlocks
}

async function headOf(target: string): Promise<number> {
  const call = { jsonrpc: '2.0', id: 0, method: 'eth_blockNumber', params: [] }
  const [answer] = await forward(target, [call])
  return Number((answer as { readonly result?: unknown } | undefined)?.result)
}

/** What asks for the state of a block that the node has pruned. */
function isForgotten({ method, params: [, block] }: Call, oldest: number): boolean {
  if (!/^eth_(?:call|estimateGas|getBalance|getCode|getStorageAt|getTransactionCount)$/.test(method)) return false
  return typeof block === 'string' && block.startsWith('0x') && Number(block) < oldest
}

/** What a development node alone knows, and the name of its kind. */
function isOwn({ isPublic }: Knobs, { method }: Call): boolean {
  return isPublic && (/^(?:anvil|evm|hardhat|debug)_/.test(method) || method === 'web3_clientVersion')
}

/** Whether this call fails. */
function takes({ failing }: Knobs, method: string): boolean {
  const left = failing.get(method) ?? 0
  if (left > 0) failing.set(method, left - 1)
  return left > 0
}

async function forward(target: string, calls: readonly Call[]): Promise<{ readonly id: number }[]> {
  const answered = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  })
  return (await answered.json()) as { id: number }[] // the node answers a list with a list
}

function lockOut(
  { status, how }: Exclude<NodeProxy['locked'], false>,
  calls: readonly Call[],
  response: ServerResponse,
): void {
  const error = { code: -32600, message: 'Must be authenticated!' }
  const texts = {
    'in HTML': '<html><head><title>401 Authorization Required</title></head></html>',
    'in JSON': JSON.stringify({ jsonrpc: '2.0', id: calls[0]?.id ?? null, error }),
    'in a list': JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))),
  }
  response.writeHead(status, { 'content-type': how === 'in HTML' ? 'text/html' : 'application/json' }).end(texts[how])
}

function refuse({ batchLimit, refusing }: Knobs, response: ServerResponse): void {
  const error = { code: -32014, message: `maximum ${batchLimit} calls in 1 batch` }
  if (refusing === 'with a status') response.writeHead(413).end('too large')
  else if (refusing === 'with an error in the list')
    response.end(JSON.stringify([{ jsonrpc: '2.0', id: 0, error: { code: -32600, message: 'batch too large' } }]))
  else response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
}
