import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PaidAnswer } from '../session/pay.ts'

export type StreamBounds = { readonly mostBytes: number; readonly mostMs: number }

/**
 * Hands an upstream's answer on. A stream that outgrows its bounds, or breaks, ends in the middle, so that nobody takes
 * it for whole.
 *
 * @returns whether it went out whole.
 */
export async function writeAnswer(
  { answer, rest, receipt }: PaidAnswer,
  response: ServerResponse,
  bounds: StreamBounds,
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
  return stream(rest, response, { ...bounds, mostBytes: bounds.mostBytes - head.length })
}

async function stream(rest: IncomingMessage, response: ServerResponse, bounds: StreamBounds): Promise<boolean> {
  const timer = setTimeout(() => {
    rest.destroy()
  }, bounds.mostMs)
  const left = (): void => {
    rest.destroy()
  }
  response.once('close', left)
  let length = 0
  try {
    for await (const chunk of rest as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bounds.mostBytes) throw new Error('the answer outgrew its bound')
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
  } finally {
    clearTimeout(timer)
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
