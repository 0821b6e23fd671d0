import { operations, type OperationName } from '@ergon/contract'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { expectStatus, type Reached } from './live-market.ts'

export const adminKey = 'the admin key of this test'

/** A call with the admin key, in the name of a person. */
export async function asAdmin(
  market: Pick<Reached, 'url'>,
  method: string,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return send(
    market.url,
    method,
    target,
    {
      host: authority,
      'x-admin-key': adminKey,
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    text,
  )
}

/** The answer, held to the schema of its operation. */
export function expectShape(name: OperationName, reply: Reply, status = 200): Readonly<Record<string, unknown>> {
  const { body } = expectStatus(reply, status)
  expect([...Compile(operations[name].output).Errors(body)], name).toEqual([])
  return body
}
