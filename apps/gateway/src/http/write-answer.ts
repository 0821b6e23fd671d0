import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PaidAnswer } from '../session/pay.ts'

export type StreamBounds = { readonly mostBytes: number; readonly mostMs: number }

/**
 * Hands an upstream's answer on. A stream that outgrows its bounds, or breaks, ends in the middle, so that nobody takes
 * it for whole; so does an answer that its buyer does not read in that time.
 *
 * @returns whether it went out whole.
 */
export async function writeAnswer(paid: PaidAnswer, response: ServerResponse, bounds: StreamBounds): Promise<boolean> {
  // A buyer that left already is not heard to leave once more.
  if (response.destroyed) {
    paid.rest?.destroy()
    return false
  }
  const timer = setTimeout(() => {
    response.destroy()
  }, bounds.mostMs)
  try {
    return await write(paid, response, bounds.mostBytes)
  } finally {
    clearTimeout(timer)
  }
}

async function write(
  { answer, rest, receipt }: PaidAnswer,
  response: ServerResponse,
  mostBytes: number,
): Promise<boolean> {
  const head = answer.body ?? new Uint8Array()
  response.writeHead(answer.status, {
    ...answer.headers,
    'cache-control': 'private, no-store',
    ...(receipt === undefined ? {} : { 'payment-receipt': receipt }),
    ...(rest === undefined && !isBodiless(answer.status) ? { 'content-length': head.length } : {}),
  } as Record<string, string | string[] | number>)
  if (rest === undefined) {
    response.end(head)
    return finished(response)
  }
  if (head.length > 0) response.write(head)
  else response.flushHeaders()
  return stream(rest, response, mostBytes - head.length)
}

async function stream(rest: IncomingMessage, response: ServerResponse, mostBytes: number): Promise<boolean> {
  const left = (): void => {
    rest.destroy()
  }
  response.once('close', left)
  let length = 0
  try {
    for await (const chunk of rest as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > mostBytes) throw new Error('the answer outgrew its bound')
      if (!response.write(chunk)) await drained(response)
    }
    if (!rest.complete) throw new Error('the upstream ended in the middle of its answer')
    response.off('close', left)
    response.end()
    return await finished(response)
  } catch {
    rest.destroy()
    response.destroy()
    return false
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', gone)
      resolve()
    }
    const gone = (): void => {
      response.off('drain', done)
      reject(new Error('the buyer left'))
    }
    response.once('drain', done)
    response.once('close', gone)
  })
}

function finished(response: ServerResponse): Promise<boolean> {
  if (response.writableFinished) return Promise.resolve(true)
  return new Promise((resolve) => {
    response.once('finish', () => {
      resolve(true)
    })
    response.once('close', () => {
      resolve(response.writableFinished)
    })
  })
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304
}
