import { createHash } from 'node:crypto'
import { operations, type Operation } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyHash } from '../../src/dispatch/body-hash.ts'
import { createIdempotency, type Keys } from '../../src/dispatch/idempotency.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'

describe('two bodies are the same request', () => {
  const body = fc.dictionary(
    fc
      .string({ minLength: 1 })
      .filter((name) => name !== 'approval' && name !== 'idempotency_key' && name !== '__proto__'),
    fc.jsonValue(),
  )

  function reversed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, reversed(inner)]),
    )
  }

  test('when they differ only in the order of keys, at any depth', () => {
    fc.assert(
      fc.property(body, (input) => {
        expect(bodyHash(reversed(input) as Record<string, unknown>)).toBe(bodyHash(input)) // an object stays one
      }),
    )
  })

  test('and not when a value differs', () => {
    fc.assert(
      fc.property(body, fc.string(), (input, name) => {
        expect(bodyHash({ ...input, [`x${name}`]: 'one' })).not.toBe(bodyHash({ ...input, [`x${name}`]: 'another' }))
      }),
    )
  })

  test('when a fresh approval or key comes with the same fields', () => {
    expect(bodyHash({ submission_id: 'a', approval: 'one', idempotency_key: 'x' })).toBe(
      bodyHash({ submission_id: 'a', approval: 'another' }),
    )
  })

  test('and by the same hash as ever: rows remember it', () => {
    const text = '[["a",1],["b",{"c":2,"d":[1,2]}]]'
    const hash = createHash('sha256').update(text).digest('hex')
    expect(bodyHash({ b: { d: [1, 2], c: 2 }, a: 1, idempotency_key: 'k', approval: 'signed' })).toBe(hash)
  })
})

const definition: Operation = operations['tasks.cancel']
const caller = {
  kind: 'wallet',
  wallet: '0x1111111111111111111111111111111111111111',
  agentId: 1,
  via: 'signature',
} as const

function callWith(headers: readonly (readonly [string, string])[]) {
  return {
    caller,
    request: { method: 'POST', target: '/', headers, body: new Uint8Array(0), ip: 'here', requestId: 'one' },
    exact: () => undefined,
  }
}

function planOf() {
  const [binding] = definition.rest
  if (binding === undefined) throw new Error('no binding')
  return createPlanner()('tasks.cancel', definition, binding)
}

const silent: Keys<string> = {
  begin: () => Promise.reject(new Error('asked')),
  within: (_call, work) => work(),
  finish: () => Promise.reject(new Error('the database is gone')),
  release: () => Promise.reject(new Error('the database is gone')),
}

test('a call without a key asks nobody', async () => {
  const idempotency = createIdempotency({ keys: silent, recover: {}, onForgotten: () => undefined })
  expect(await idempotency.run(planOf(), callWith([]), {}, () => ({ body: 'done' }))).toEqual({ body: 'done' })
  await expect(
    idempotency.run(planOf(), callWith([['X-Idempotency-Key', 'k']]), {}, () => ({ body: 'done' })),
  ).rejects.toThrow('asked')
})

test.each([
  ['an answer', () => ({ body: 'done' }), { body: 'done' }],
  [
    'a refusal',
    () => {
      throw new MarketError('TASK_NOT_FOUND')
    },
    'TASK_NOT_FOUND',
  ],
] as const)(
  '%s that cannot be kept is given all the same, and the operator hears of it',
  async (_what, handler, expected) => {
    const heard: unknown[] = []
    const keys: Keys<string> = {
      ...silent,
      begin: () => Promise.resolve({ state: 'begun', call: 'one', created: null }),
    }
    const idempotency = createIdempotency({
      keys,
      recover: {},
      onForgotten: (error) => {
        heard.push(error)
      },
    })
    const outcome: unknown = await Promise.resolve(
      idempotency.run(planOf(), callWith([['x-idempotency-key', 'k']]), {}, handler),
    ).catch((error: unknown) => (error instanceof MarketError ? error.code : error))
    expect(outcome).toEqual(expected)
    expect(heard).toMatchObject([{ message: 'the database is gone' }])
  },
)
