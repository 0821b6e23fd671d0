import { operations, type Operation } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { privateKeySigner, releaseApprovalTypedData, type Hex } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createAdminDemand, createAdminKeyCheck } from '../../src/dispatch/admin-key.ts'
import { bodyHash } from '../../src/dispatch/body-hash.ts'
import type { AnyHandler } from '../../src/dispatch/handlers.ts'
import { createIdempotency, type Created, type Keys, type Recover } from '../../src/dispatch/idempotency.ts'
import { createLimits } from '../../src/dispatch/limits.ts'
import { createPlanner } from '../../src/dispatch/plan.ts'
import { createApprovalCheck, type ApprovalDeps } from '../../src/dispatch/release-approval.ts'
import { requestOf } from './one-call.ts'

const wallet = {
  kind: 'wallet',
  wallet: '0x1111111111111111111111111111111111111111',
  agentId: 1,
  via: 'signature',
} as const
const refused = (code: string, details: unknown = expect.anything()) =>
  expect.objectContaining({ code, details }) as Error

function planOf(name: 'tasks.cancel' | 'tasks.publish') {
  const definition: Operation = operations[name]
  const [binding] = definition.rest
  if (binding === undefined) throw new Error('no binding')
  return createPlanner()(name, definition, binding)
}

describe('a resend of a call', () => {
  type Note = readonly [string, ...unknown[]]

  /** What a key stands for, and what is asked of its keeper. */
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
      'a refusal that stands is remembered',
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

describe('an approval of a release', () => {
  const payer = privateKeySigner(`0x${'11'.repeat(32)}`)
  const now = 1_795_262_400
  const document = releaseApprovalTypedData(
    {
      taskId: 'task',
      submissionId: 'submission',
      payer: payer.address,
      token: `0x${'22'.repeat(20)}`,
      amount: 10_000_000n,
      deadline: 0,
      nonce: `0x${'00'.repeat(32)}`,
    },
    31_337,
  )
  const nonce = `0x${'aB'.repeat(32)}` as const

  function check(change: Partial<ApprovalDeps> = {}) {
    const spent: unknown[] = []
    const approve = createApprovalCheck({
      market: {
        approveChallenge: () =>
          Promise.resolve({ releaseApproval: document } as unknown as Awaited<
            ReturnType<ApprovalDeps['market']['approveChallenge']>
          >),
      }, // nothing else is read
      nonces: {
        consume: (key, expiresAt) => {
          spent.push([key, expiresAt])
          return Promise.resolve(true)
        },
      },
      contracts: { isValidSignature: () => Promise.resolve(false) },
      now: () => now * 1_000,
      ...change,
    })
    return {
      spent,
      approve: (raw: unknown) => approve(wallet, 'submission', typeof raw === 'string' ? raw : JSON.stringify(raw)),
    }
  }
  const sign = (deadline: number, signer = payer): Promise<Hex> =>
    signer.signTypedData({ ...document, message: { ...document.message, deadline: String(deadline), nonce } })
  const of = async (deadline: number, signer = payer) => ({ deadline, nonce, signature: await sign(deadline, signer) })
  const because = (reason: string) => refused('APPROVAL_INVALID', { reason })

  test.each([
    [now, null],
    [now + 900, null],
    [now - 1, 'its deadline has passed'],
    [now + 901, 'its deadline is more than 900 seconds ahead'],
  ])('with the deadline %i: %s', async (deadline, reason) => {
    const { spent, approve } = check()
    if (reason !== null) return expect(approve(await of(deadline))).rejects.toThrow(because(reason))
    await approve(await of(deadline))
    expect(spent).toEqual([[`approval:${payer.address.toLowerCase()}:${nonce.toLowerCase()}`, deadline]])
  })

  test('may give its deadline as text', async () => {
    await check().approve({ ...(await of(now)), deadline: String(now) })
  })

  test.each<[unknown, string]>([
    ['{', 'it is not JSON'],
    ['null', 'it has no deadline in unix seconds'],
    [{ nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: null, nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: [now], nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: 'soon', nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: now + 0.5, nonce, signature: '0x00' }, 'it has no deadline in unix seconds'],
    [{ deadline: now, nonce: '0x00', signature: '0x00' }, 'it has no nonce of 32 bytes'],
    [{ deadline: now, nonce, signature: '0x' }, 'it has no signature'],
    [{ deadline: now, nonce, signature: '0x0' }, 'it has no signature'],
    [{ deadline: now, nonce, signature: 1 }, 'it has no signature'],
    [{ deadline: now, nonce, signature: 'x0x00' }, 'it has no signature'],
    [{ deadline: now, nonce, signature: '0x00z' }, 'it has no signature'],
  ])('%j is refused: %s', async (raw, reason) => {
    await expect(check().approve(raw)).rejects.toThrow(because(reason))
  })

  test('of another party is refused, and the chain is asked whether a contract says yes', async () => {
    const other = privateKeySigner(`0x${'33'.repeat(32)}`)
    await expect(check().approve(await of(now, other))).rejects.toThrow(
      because('it is not signed by the payer for this submission and amount'),
    )
    const asked: unknown[] = []
    await check({
      contracts: {
        isValidSignature: (call) => {
          asked.push(call)
          return Promise.resolve(true)
        },
      },
    }).approve(await of(now, other))
    expect(asked).toMatchObject([{ chainId: 31_337, address: payer.address }])
    await expect(
      check({ contracts: { isValidSignature: () => Promise.reject(new Error('away')) } }).approve(await of(now, other)),
    ).rejects.toThrow(refused('identity_check_unavailable', {}))
  })

  test('is used once, and not at all while that cannot be told', async () => {
    await expect(check({ nonces: { consume: () => Promise.resolve(false) } }).approve(await of(now))).rejects.toThrow(
      because('it has been used'),
    )
    await expect(
      check({ nonces: { consume: () => Promise.reject(new Error('away')) } }).approve(await of(now)),
    ).rejects.toThrow(refused('nonce_store_unavailable', {}))
  })
})

describe('the admin key', () => {
  test.each([
    ['open', 'open', true],
    ['open', 'shut', false],
    ['open', undefined, false],
    ['', '', false],
    [undefined, '', false],
    [undefined, 'open', false],
  ])('of %j opens to %j: %s', (key, given, opens) => {
    expect(createAdminKeyCheck(key)(given)).toBe(opens)
  })

  test('a route that is no operation counts wrong keys, and not a missing one', () => {
    const limits = createLimits({ anonymousPerMinute: 0, walletPerMinute: 0, publishPerHour: 0 })
    const demand = createAdminDemand({ isAdminKey: (given) => given === 'open', limits, now: () => 0 })
    for (let round = 0; round < 20; round += 1)
      expect(() => {
        demand(undefined, 'here')
      }).toThrow(refused('INVALID_API_KEY', {}))
    for (let round = 0; round < 10; round += 1)
      expect(() => {
        demand('shut', 'here')
      }).toThrow(refused('INVALID_API_KEY', {}))
    expect(() => {
      demand('shut', 'here')
    }).toThrow(refused('RATE_LIMITED'))
    expect(() => {
      demand('open', 'here')
    }).not.toThrow()
  })
})

describe('two bodies', () => {
  test.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: { c: 1, d: 2 } }, { a: { d: 2, c: 1 } }, true],
    [{ a: [{ c: 1, d: 2 }] }, { a: [{ d: 2, c: 1 }] }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: null }, {}, false],
    [{ a: [] }, { a: {} }, false],
    [{ a: 1, approval: 'x', idempotency_key: 'k' }, { a: 1 }, true],
  ])('%j and %j are the same request: %s', (one, other, isSame) => {
    expect(bodyHash(one) === bodyHash(other)).toBe(isSame)
  })
})
