import {
  errorCatalogue,
  errorsOf,
  operations,
  type ErrorCode,
  type Operation,
  type OperationName,
} from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { listen } from '../http/event-lines.ts'
import type { Role, Verdict } from './roles.ts'
import type { World } from './world.ts'

const outputs = new Map(Object.entries<Operation>(operations).map(([name, { output }]) => [name, Compile(output)]))

const isCode = (text: unknown): text is ErrorCode => typeof text === 'string' && text in errorCatalogue

/** How an answer reads as a verdict; what the contract does not name fails at once. */
export function readVerdict(name: OperationName, { status, body }: Reply): Verdict {
  const operation: Operation = operations[name]
  if (status < 300) {
    if (!name.endsWith('.stream')) expect([...(outputs.get(name)?.Errors(body) ?? [])], name).toEqual([])
    return Object.values(body).some((value) => Array.isArray(value) && value.length > 0) ||
      !Object.values(body).some(Array.isArray)
      ? 'ok'
      : 'empty'
  }
  const code: unknown = body.code
  if (!isCode(code)) throw new Error(`${name} answers ${String(status)} ${JSON.stringify(body)}`)
  expect([status, body.detail?.['code'], body.detail?.['retryable']]).toEqual([
    errorCatalogue[code].status,
    code,
    errorCatalogue[code].retryable,
  ])
  expect(errorsOf(operation), `${name} does not name ${code}`).toContain(code)
  return code
}

/** Its answer does not end, so it is left as soon as it begins. */
export async function openStream({ scene, parties, cookies }: World, role: Role, target: string): Promise<Reply> {
  const party = role in parties ? parties[role as keyof typeof parties] : undefined // asked for just before
  const cookie = role in cookies ? cookies[role as keyof typeof cookies] : undefined // the same
  const headers =
    party === undefined
      ? { host: authority, ...(cookie === undefined ? {} : { cookie }) }
      : await signed('GET', target, undefined, { key: party.key })
  await using stream = await listen(scene.market.url, target, headers)
  if (stream.status === 200) return { status: 200, headers: {}, body: {} }
  await stream.ended
  return { status: stream.status, headers: {}, body: JSON.parse(stream.text()) as Reply['body'] } // a refusal is JSON
}
