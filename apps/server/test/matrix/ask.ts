import { request } from 'node:http'
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
import type { Role, Verdict } from './roles.ts'
import type { World } from './world.ts'

const outputs = new Map(Object.entries<Operation>(operations).map(([name, { output }]) => [name, Compile(output)]))

const isCode = (text: unknown): text is ErrorCode => typeof text === 'string' && text in errorCatalogue

/** How an answer reads as a verdict; what the contract does not name fails at once. */
export function readVerdict(name: OperationName, { status, body }: Reply): Verdict {
  const operation: Operation = operations[name]
  if (status < 300) {
    if (name !== 'events.stream') expect([...(outputs.get(name)?.Errors(body) ?? [])], name).toEqual([])
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
export async function openStream({ scene, parties }: World, role: Role): Promise<Reply> {
  const target = '/api/v1/events/stream'
  const { port } = new URL(scene.market.url)
  const party =
    role === 'stranger' || role === 'applicant' || role === 'worker' || role === 'publisher' || role === 'banned'
      ? parties[role]
      : undefined
  const headers = party === undefined ? { host: authority } : await signed('GET', target, undefined, { key: party.key })
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const outgoing = request({ host: '127.0.0.1', port, path: target, headers, agent: false }, (incoming) => {
    const status = incoming.statusCode ?? 0
    let text = ''
    incoming.on('error', () => undefined)
    incoming.on('data', (bytes: Buffer) => {
      text += bytes.toString()
    })
    incoming.on('end', () => {
      resolve({ status, headers: {}, body: JSON.parse(text) as Reply['body'] })
    }) // a refusal is JSON
    if (status !== 200) return
    resolve({ status, headers: {}, body: {} })
    outgoing.destroy()
  })
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}
