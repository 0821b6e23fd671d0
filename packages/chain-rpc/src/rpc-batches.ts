import { isWrite, NoAnswer, type RpcAnswer, type RpcError, type RpcLimits, type RpcRequest } from './rpc-call.ts'
import type { Timers } from './timers.ts'

/** What came back, whatever it says. */
export type Posted = { readonly status: number; readonly text: string; readonly retryAfterMs: number }

/** One HTTP request. What only reads may be sent again over a new connection. */
export type Post = (body: string, how: RpcLimits & { readonly isRead: boolean }) => Promise<Posted>

export type Batches = { batch(requests: readonly RpcRequest[], limits: RpcLimits): Promise<RpcAnswer[]> }

/** What one request brought: an answer for each call, or that the node does not take so many at once. */
type Asked =
  | { readonly answers: RpcAnswer[]; readonly refused?: undefined }
  | { readonly answers?: undefined; readonly refused: RpcError }

type Ask = (requests: readonly RpcRequest[]) => Promise<Asked>

/** What a node was seen to take, until it is asked for more again. */
type Limit = { most: number; until: number }

/** The key in the URL of a node is over, or its bill is open: also where that is written as JSON-RPC. */
const locked: ReadonlySet<number> = new Set([401, 402, 403, 407])

const lanes = 4
/** A limit that was a mood of the node is found out to be one. */
const rememberMs = 600_000

/**
 * Batches of calls, each one HTTP request. One that a node refuses as a batch is split until it is taken, and the size
 * that was taken is remembered. The first part is answered before the others are asked, and what is sent goes in order.
 */
export function createBatches(post: Post, timers: Timers): Batches {
  const limit: Limit = { most: Infinity, until: Infinity }
  return {
    async batch(requests, limits) {
      const ask = (some: readonly RpcRequest[]): Promise<Asked> => askOnce(post, some, limits)
      if (timers.monotonic() >= limit.until) {
        limit.most *= 2
        limit.until = timers.monotonic() + rememberMs
      }
      const first = await askFirst(ask, requests, limit.most)
      if (first.wasRefused && first.answers.some(({ error }) => error === undefined)) {
        limit.most = Math.min(limit.most, first.answers.length)
        limit.until = timers.monotonic() + rememberMs
      }
      const size = first.answers.length
      const rest = askRest(ask, requests.slice(size), size)
      return [...first.answers, ...(await rest.catch((error: unknown) => failHalfway(requests, error)))]
    },
  }
}

/** Some of it was taken before the node failed. */
function failHalfway(requests: readonly RpcRequest[], error: unknown): never {
  if (!(error instanceof NoAnswer) || !requests.some(isWrite)) throw error
  throw new NoAnswer(error.message, { mayHaveArrived: true, cause: error })
}

/** As much of the front as the node takes. */
async function askFirst(
  ask: Ask,
  requests: readonly RpcRequest[],
  most: number,
): Promise<{ readonly answers: RpcAnswer[]; readonly wasRefused: boolean }> {
  let size = Math.max(1, Math.min(most, requests.length))
  for (let wasRefused = false; ; wasRefused = true) {
    const asked = await ask(requests.slice(0, size))
    if (asked.answers !== undefined) return { answers: asked.answers, wasRefused }
    if (size === 1) throw new NoAnswer('the chain node refused the request', { cause: asked.refused })
    size = Math.floor(size / 2)
  }
}

async function askRest(ask: Ask, requests: readonly RpcRequest[], size: number): Promise<RpcAnswer[]> {
  const parts = Array.from({ length: Math.ceil(requests.length / size) }, (_, index) =>
    requests.slice(index * size, (index + 1) * size),
  )
  const answers: RpcAnswer[][] = Array.from({ length: parts.length })
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < parts.length; index = next++) {
      const part = parts[index] ?? []
      const { answers: some } = await askFirst(ask, part, part.length)
      answers[index] = [...some, ...(await askRest(ask, part.slice(some.length), Math.max(1, some.length)))]
    }
  }
  const width = requests.some(isWrite) ? 1 : lanes
  await Promise.all(Array.from({ length: Math.min(width, parts.length) }, work))
  return answers.flat()
}

async function askOnce(post: Post, requests: readonly RpcRequest[], limits: RpcLimits): Promise<Asked> {
  const calls = requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  // Some nodes know no batches at all.
  const body = JSON.stringify(calls.length === 1 ? calls[0] : calls)
  const posted = await post(body, { ...limits, isRead: !requests.some(isWrite) })
  const { status, text, retryAfterMs } = posted
  if (status === 429) throw new NoAnswer('the chain node asks for patience', { retryAfterMs })
  if (locked.has(status)) {
    // Some let in one call at a time. Whatever is in front of a node has not passed on what it says this to.
    if (requests.length > 1) return { refused: { code: status, message: 'refused' } }
    throw new NoAnswer('the chain node lets nobody in', { cause: new Error(`status ${String(status)}`) })
  }
  const value = parse(text)
  if (Array.isArray(value)) return readEntries(value as unknown[], requests, retryAfterMs)
  const [error, result] = readEntry(value)
  if (requests.length === 1 && (error !== undefined || result !== undefined))
    return readEntries([{ ...(value as object), id: 0 }], requests, retryAfterMs)
  if (error !== undefined) {
    if (isBusy(error)) throw new NoAnswer('the chain node asks for patience', { retryAfterMs, cause: error })
    return { refused: error }
  }
  // 413, or a 400 whose reason is for people.
  if (requests.length > 1 && status >= 400 && status < 500) return { refused: { code: status, message: 'refused' } }
  throw new NoAnswer('the chain node answered something that is not JSON-RPC', {
    mayHaveArrived: true,
    cause: new Error(`status ${String(status)}`),
  })
}

function readEntries(entries: readonly unknown[], requests: readonly RpcRequest[], retryAfterMs: number): Asked {
  const answers: (RpcAnswer | undefined)[] = Array.from({ length: requests.length })
  for (const entry of entries) {
    const [error, result] = readEntry(entry)
    const id = idOf(entry)
    if (id !== undefined && id < answers.length) answers[id] = error === undefined ? { result } : { error }
    else if (error !== undefined) answers[0] ??= { error }
  }
  const busy = answers.find((answer) => answer?.error !== undefined && isBusy(answer.error))?.error
  const refused = answers.find((answer) => answer?.error !== undefined && isTooMany(answer.error))?.error
  if (requests.some(isWrite)) {
    // Sent again is only what was refused as a whole: of the rest some may be on its way.
    const isWhole = answers.every(
      (answer) => answer === undefined || answer.error === refused || isTooMany(answer.error),
    )
    if (refused !== undefined && isWhole && requests.length > 1) return { refused }
  } else {
    if (busy !== undefined) throw new NoAnswer('the chain node asks for patience', { retryAfterMs, cause: busy })
    if (requests.length > 1 && (refused !== undefined || answers.includes(undefined)))
      return { refused: refused ?? missing }
  }
  return { answers: answers.map((answer) => answer ?? { error: missing }) }
}

const missing: RpcError = { code: -32603, message: 'missing answer' }

function isTooMany(error: RpcError | undefined): boolean {
  return error !== undefined && /batch|response (size )?(is )?too (large|big)/i.test(error.message)
}

function isBusy({ code, message }: RpcError): boolean {
  return (
    !/batch|revert/i.test(message) &&
    (code === 429 || /rate limit|too many requests|compute units|throttl/i.test(message))
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function idOf(entry: unknown): number | undefined {
  const id = typeof entry === 'object' && entry !== null ? (entry as { id?: unknown }).id : undefined
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 ? id : undefined
}

/** Its error, or its result. */
function readEntry(entry: unknown): readonly [error: RpcError | undefined, result: unknown] {
  if (typeof entry !== 'object' || entry === null) return [undefined, undefined]
  const { result, error } = entry as { result?: unknown; error?: unknown }
  return [error === undefined || error === null ? undefined : asRpcError(error), result]
}

function asRpcError(error: unknown): RpcError {
  if (typeof error !== 'object' || error === null) return { code: -32603, message: 'malformed error' }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  return { code: typeof code === 'number' ? code : -32603, message: typeof message === 'string' ? message : '', data }
}
