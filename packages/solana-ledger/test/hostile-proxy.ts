import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a proxy does with a call of a Solana client. */
export type Mischief =
  | 'none'
  /** Takes the call and never answers. */
  | 'stall'
  | 'too-many-requests'
  | 'server-error'
  /** Hands the call on and drops the answer. */
  | 'lose-answer'
  /** Answers as of a hundred slots ago, whatever was asked. */
  | 'stale'
  /** Tells of a slot a year ahead. */
  | 'future'
  | 'other-cluster'
  /** Answers more than anybody may read. */
  | 'endless'
  | 'not-json'
  /** Says that no transaction is known and no account is there. */
  | 'deny'
  /** Knows of no transaction, because it is two hundred slots behind. */
  | 'late-status'

type Rpc = { readonly id?: unknown; readonly method?: string; readonly params?: readonly unknown[] }
type Answer = { result?: unknown; [name: string]: unknown }

/** A node that misbehaves on command, in front of one that does not. */
export type HostileProxy = AsyncDisposable & { readonly url: string; mischief: Mischief; readonly calls: string[] }

export async function startHostileProxy(target: string): Promise<HostileProxy> {
  const state = { mischief: 'none' as Mischief, calls: [] as string[] }
  const server = createServer((request, response) => {
    void relay(target, state, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

async function relay(
  target: string,
  state: { readonly mischief: Mischief; readonly calls: string[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const call = JSON.parse(Buffer.concat(chunks).toString()) as Rpc
  state.calls.push(call.method ?? '')
  const { mischief } = state
  if (mischief === 'stall') return
  if (mischief === 'too-many-requests') return void response.writeHead(429, { 'retry-after': '3' }).end('slow down')
  if (mischief === 'server-error') return void response.writeHead(502).end('<html>bad gateway</html>')
  if (mischief === 'not-json') return void response.end('{"jsonrpc":"2.0","result"')
  if (mischief === 'endless') return void response.end(Buffer.alloc(5 * 1024 * 1024, ' '))
  const answer = await ask(target, mischief === 'stale' ? withoutLeast(call) : call)
  if (mischief === 'lose-answer') return void response.destroy()
  response.end(JSON.stringify(changed(answer, call, mischief)))
}

async function ask(target: string, call: Rpc): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(call) })
  return (await response.json()) as Answer
}

/** A node that lags and does not know it ignores what the client has seen. */
function withoutLeast(call: Rpc): Rpc {
  const drop = (key: string, value: unknown) => (key === 'minContextSlot' ? undefined : value)
  return JSON.parse(JSON.stringify(call, drop)) as Rpc
}

function changed(answer: Answer, { method }: Rpc, mischief: Mischief): Answer {
  const move = mischief === 'stale' ? -100 : mischief === 'future' ? 78_000_000 : 0
  if (mischief === 'other-cluster' && method === 'getGenesisHash') return { ...answer, result: 'x'.repeat(44) }
  if (mischief === 'deny' && method === 'getSignatureStatuses') return withValue(answer, [null])
  if (mischief === 'deny' && method === 'getAccountInfo') return withValue(answer, null)
  if (mischief === 'late-status' && method === 'getSignatureStatuses') {
    const { context } = answer.result as { context: { slot: number } }
    return { ...answer, result: { context: { slot: Math.max(0, context.slot - 200) }, value: [null] } }
  }
  if (move === 0) return answer
  if (typeof answer.result === 'number') return { ...answer, result: answer.result + move }
  const result = answer.result as { context?: { slot: number }; absoluteSlot?: number; blockHeight?: number } | null
  if (result?.absoluteSlot !== undefined && result.blockHeight !== undefined) {
    const [absoluteSlot, blockHeight] = [result.absoluteSlot + move, result.blockHeight + move]
    return { ...answer, result: { ...result, absoluteSlot, blockHeight } }
  }
  if (result?.context === undefined) return answer
  return { ...answer, result: { ...result, context: { slot: result.context.slot + move } } }
}

function withValue(answer: Answer, value: unknown): Answer {
  return { ...answer, result: { ...(answer.result as object), value } }
}
