import { operations, type Operation } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import { bodyHash } from '../../src/dispatch/body-hash.ts'
import type { AnyHandler } from '../../src/dispatch/handlers.ts'
import { createIdempotency, type Created, type Keys, type Recover } from '../../src/dispatch/idempotency.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'
import { requestOf } from './one-call.ts'
import { refused } from './refused.ts'

const wallet = {
  kind: 'wallet',
  wallet: '0x1111111111111111111111111111111111111111',
  agentId: 1,
  via: 'signature',
} as const

function planOf(name: 'tasks.cancel' | 'tasks.publish') {
  const definition: Operation = operations[name]
  const [binding] = definition.rest
  if (binding === undefined) throw new Error('no binding')
  return createPlanner()(name, definition, binding)
}

describe('a resend of a call', () => {
  type Note = readonly [string, ...unknown[]]

  /** What a key is bound to, and what is asked of its keeper. */
  function keeper(begun: Awaited<ReturnType<Keys<string>['begin']>>, recovers: Readonly<Record<string, Recover>> = {}) {
    const notes: Note[] = []
    const keys: Keys<string> = {
      begin: (scope, hash) => {
        notes.push(['begin', scope, hash])
        return Promise.resolve(begun)
      },
      within: (_call, work) => {
        notes.push(['within'])
        return work()
      },
      finish: (_call, status, answer) => {
        notes.push(['finish', status, answer])
        return Promise.resolve()
      },
      release: (_call, status) => {
        notes.push(['release', status])
        return Promise.resolve()
      },
    }
    const { run } = createIdempotency({ keys, recover: recovers, onForgotten: () => undefined })
    const resend = async (
      handler: AnyHandler,
      headers: readonly (readonly [string, string])[] = [['x-idempotency-key', 'k']],
    ) => {
      const request = requestOf({ method: 'POST', headers })
      return run(planOf('tasks.cancel'), { caller: wallet, request, exact: () => undefined }, { a: 1 }, handler)
    }
    return { notes, resend }
  }

  const fresh = (created: Created | null) => ({ state: 'begun', call: 'one', created }) as const
  const made: AnyHandler = () => ({ body: 'made' })
  const found: Recover = () => Promise.resolve({ body: 'found' })

  test('whose first run made nothing runs, and nothing is recovered', async () => {
    const { notes, resend } = keeper(fresh(null), { 'tasks.cancel': found })
    expect(await resend(made)).toEqual({ body: 'made' })
    expect(notes).toEqual([
      ['begin', { identity: wallet.wallet, key: 'k', operation: 'tasks.cancel' }, bodyHash({ a: 1 })],
      ['within'],
      ['finish', 200, { body: 'made' }],
    ])
  })

  test('whose first run wrote and never told is answered from what it made', async () => {
    const { notes, resend } = keeper(fresh({ task: 't' }), {
      'tasks.cancel': (_call, input, created) => Promise.resolve({ body: { input, created } }),
    })
    expect(await resend(made)).toEqual({ body: { input: { a: 1 }, created: { task: 't' } } })
    expect(notes.map(([what]) => what)).toEqual(['begin', 'finish'])
  })

  test.each<[string, Readonly<Record<string, Recover>>]>([
    ['no row answers', {}],
    ['the row leaves it to the handler', { 'tasks.cancel': () => Promise.resolve(null) }],
  ])('whose first run wrote runs where %s', async (_why, recovers) => {
    const { notes, resend } = keeper(fresh({ task: 't' }), recovers)
    expect(await resend(made)).toEqual({ body: 'made' })
    expect(notes.map(([what]) => what)).toEqual(['begin', 'within', 'finish'])
  })

  test.each<[string, AnyHandler, Note, string]>([
    [
      'a refusal that is final is remembered',
      () => {
        throw new MarketError('TASK_NOT_FOUND', { task_id: 't' })
      },
      ['finish', 404, { code: 'TASK_NOT_FOUND', message: null, details: { task_id: 't' } }],
      'TASK_NOT_FOUND',
    ],
    [
      'with words of its own, they too',
      () => {
        throw new MarketError('TASK_NOT_FOUND', {}, { message: 'Gone.' })
      },
      ['finish', 404, { code: 'TASK_NOT_FOUND', message: 'Gone.', details: {} }],
      'Gone.',
    ],
    [
      'one that may be repeated is not',
      () => {
        throw new MarketError('APPROVAL_IN_FLIGHT')
      },
      ['release', 409],
      'APPROVAL_IN_FLIGHT',
    ],
    [
      'a failure of the house is not',
      () => {
        throw new MarketError('CHAIN_UNAVAILABLE')
      },
      ['release', 503],
      'CHAIN_UNAVAILABLE',
    ],
    [
      'what nobody expected is not',
      () => {
        throw new Error('bug')
      },
      ['release', 500],
      'bug',
    ],
  ])('%s', async (_what, handler, note, message) => {
    const { notes, resend } = keeper(fresh(null))
    await expect(resend(handler)).rejects.toThrow(message)
    expect(notes.at(-1)).toEqual(note)
  })

  test('a refusal after an earlier run wrote is not remembered', async () => {
    const { notes, resend } = keeper(fresh({ task: 't' }))
    await expect(
      resend(() => {
        throw new MarketError('TASK_NOT_FOUND')
      }),
    ).rejects.toThrow(refused('TASK_NOT_FOUND', {}))
    expect(notes.at(-1)).toEqual(['release', 404])
  })

  test('an answer that is still on its way is not remembered, and one that shows a secret by what it made', async () => {
    const first = keeper(fresh(null))
    await first.resend(() => ({ body: 'soon', status: 202 }))
    expect(first.notes.at(-1)).toEqual(['release', 202])
    const second = keeper(fresh(null))
    await second.resend(() => ({ body: 'secret', remade: { key: 'k' } }))
    expect(second.notes.at(-1)).toEqual(['finish', 200, { made: { key: 'k' } }])
  })

  test('an unknown outcome names the key that finds out', async () => {
    const { resend } = keeper(fresh(null))
    await expect(
      resend(() => {
        throw new MarketError('OUTCOME_UNKNOWN', { task_id: 't' })
      }, [['x-idempotency-key', 'a/b']]),
    ).rejects.toThrow(
      refused('OUTCOME_UNKNOWN', { task_id: 't', idempotency_key: 'a/b', lookup: '/api/v1/operations/a%2Fb' }),
    )
  })

  const done = (answer: unknown, status = 200) => ({ state: 'done', status, answer }) as const

  test('that is done is answered as before, and runs nothing', async () => {
    const never: AnyHandler = () => {
      throw new Error('ran')
    }
    expect(await keeper(done({ body: 'before' })).resend(never)).toEqual({
      body: 'before',
      headers: { 'idempotent-replayed': 'true' },
    })
    expect(await keeper(done({ body: 'before' }, 201)).resend(never)).toEqual({
      body: 'before',
      headers: { 'idempotent-replayed': 'true' },
      status: 200,
    })
    expect(await keeper(done({ made: { task: 't' } }), { 'tasks.cancel': found }).resend(never)).toMatchObject({
      body: 'found',
    })
    await expect(
      keeper(done({ code: 'TASK_NOT_FOUND', message: null, details: { task_id: 't' } })).resend(never),
    ).rejects.toThrow(refused('TASK_NOT_FOUND', { task_id: 't' }))
  })

  test('of what is gone since is told so', async () => {
    const gone = (recover: Recover | undefined) =>
      keeper(done({ made: { task: 't' } }), recover === undefined ? {} : { 'tasks.cancel': recover }).resend(made)
    const told = (message: string) => expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED', message }) as Error
    await expect(gone(undefined)).rejects.toThrow(told('The result of this key no longer exists.'))
    await expect(gone(() => Promise.resolve(null))).rejects.toThrow(told('The result of this key no longer exists.'))
    await expect(gone(() => Promise.reject(new MarketError('TASK_NOT_FOUND')))).rejects.toThrow(
      told('The result of this key has been removed.'),
    )
    await expect(gone(() => Promise.reject(new MarketError('CHAIN_UNAVAILABLE')))).rejects.toThrow(
      refused('CHAIN_UNAVAILABLE', {}),
    )
    await expect(gone(() => Promise.reject(new Error('bug')))).rejects.toThrow('bug')
  })

  test("is nobody's without a wallet: who owns no rows has no keys", async () => {
    const asked: unknown[] = []
    const keys = {
      begin: (scope: unknown) => {
        asked.push(scope)
        return Promise.resolve(done({ body: 'before' }))
      },
    } as unknown as Keys<string> // nothing else is asked here
    const { run } = createIdempotency({ keys, recover: {}, onForgotten: () => undefined })
    const request = requestOf({ method: 'POST', headers: [['x-idempotency-key', 'k']] })
    const of = async (caller: Parameters<typeof run>[1]['caller']) =>
      (await run(planOf('tasks.cancel'), { caller, request, exact: () => undefined }, {}, made)).body
    expect([await of({ kind: 'anonymous' }), await of({ kind: 'admin' }), await of(wallet)]).toEqual([
      'made',
      'before',
      'before',
    ])
    expect(asked).toMatchObject([{ identity: 'admin' }, { identity: wallet.wallet }])
  })
})

describe('the key of a call', () => {
  const gather = (key: string) => () =>
    planOf('tasks.cancel').gather(requestOf({ method: 'POST', headers: [['x-idempotency-key', key]] }), {
      task_id: 't',
    })
  test.each([
    ['k', true],
    ['!~', true],
    ['x'.repeat(128), true],
    ['', false],
    ['a b', false],
    ['é', false],
    ['x'.repeat(129), false],
  ])('%j is one: %s', (key, isKey) => {
    if (isKey) expect(gather(key)().input).toMatchObject({ task_id: 't' })
    else
      expect(gather(key)).toThrow(refused('VALIDATION_FAILED', expect.objectContaining({ field: 'x-idempotency-key' })))
  })
})
