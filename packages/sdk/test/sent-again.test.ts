import { errorCatalogue, type ErrorCode, type OperationName } from '@ergon/contract'
import { privateKeySigner } from '@ergon/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createClient, ErgonError } from '../src/index.ts'
import { canonicalJson, contentKey, isToldByContent } from '../src/idempotency-key.ts'
import { operations } from '@ergon/contract'
import { recordingService, refusal, type Answerer, type Reply } from './recording-service.ts'

const signer = privateKeySigner('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const other = privateKeySigner('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
const task_id = '01890000-0000-7000-8000-000000000001'
const publish = {
  title: 'A photo of a door',
  instructions: 'Take one photo of the blue door.',
  category: 'simple_action',
  bounty_usd: 1.5,
  evidence_required: ['photo'],
} as const satisfies Parameters<ReturnType<typeof createClient>['tasks']['publish']>[0]

/** One call against a service, with what it waited for and what arrived. */
async function visit(answer: Answerer, act: (client: ReturnType<typeof createClient>) => Promise<unknown>) {
  await using service = await recordingService(answer)
  const waits: number[] = []
  const client = createClient({
    baseUrl: service.url,
    signer,
    chainId: 31337,
    timeoutMs: 20_000,
    wait: async (ms) => {
      waits.push(ms)
    },
  })
  const outcome = await act(client).then(
    () => 'done',
    (error: unknown) => (error instanceof ErgonError ? error.code : String(error)),
  )
  const keyed = service.arrivals.filter(({ method }) => method !== 'GET')
  return {
    outcome,
    waits,
    arrivals: service.arrivals,
    keyed,
    keys: keyed.map(({ headers }) => headers['x-idempotency-key']),
  }
}
const once =
  (reply: Reply): Answerer =>
  (_, count) =>
    count === 1 ? reply : {}
const read = (client: ReturnType<typeof createClient>) => client.tasks.get({ task_id })
const mutate = (client: ReturnType<typeof createClient>) => client.tasks.publish(publish)
const isLookup = ({ target }: { readonly target: string }) => target.startsWith('/api/v1/operations/')

describe('only what the catalogue calls retryable, and time alone can mend, is sent again', () => {
  test.each([
    { name: 'a read that failed', act: read, reply: refusal(502, 'INTERNAL', true), sent: 2 },
    { name: 'a read that was cut off', act: read, reply: { hangUp: true } as const, sent: 2 },
    { name: 'a read of nothing', act: read, reply: refusal(404, 'TASK_NOT_FOUND', false), sent: 1 },
    { name: 'a mutation under its key', act: mutate, reply: refusal(502, 'SETTLEMENT_FAILED', true), sent: 2 },
    {
      name: 'a mutation under way elsewhere',
      act: mutate,
      reply: refusal(409, 'IDEMPOTENCY_IN_FLIGHT', true, { 'retry-after': '1' }),
      sent: 2,
    },
    { name: 'a busy service', act: mutate, reply: refusal(429, 'RATE_LIMITED', true, { 'retry-after': '1' }), sent: 2 },
    { name: 'what lacks a document', act: mutate, reply: refusal(409, 'LIFECYCLE_ORDER_REQUIRED', true), sent: 1 },
    { name: 'what lacks funds', act: mutate, reply: refusal(402, 'INSUFFICIENT_FUNDS', true), sent: 1 },
    { name: 'a settlement without a transaction', act: mutate, reply: refusal(502, 'TX_HASH_MISSING', true), sent: 1 },
  ])('$name arrives $sent times', async ({ act, reply, sent }) => {
    const { outcome, arrivals } = await visit(once(reply), act)
    expect(arrivals.filter((arrival) => !isLookup(arrival))).toHaveLength(sent)
    expect(outcome === 'done').toBe(sent === 2)
  })

  test.each([400, 409, 429, 500, 502, 503])(
    'NETWORK_MISMATCH is never sent again, whatever the answer says about it (%i)',
    async (status) => {
      const { outcome, arrivals } = await visit(
        once(refusal(status, 'NETWORK_MISMATCH', true, { 'retry-after': '0' })),
        mutate,
      )
      expect([outcome, arrivals.length]).toEqual(['NETWORK_MISMATCH', 1])
    },
  )

  test('a code that is not retryable is sent once, even when the answer claims otherwise', async () => {
    // A signature that comes twice was repeated on the way: the next test.
    const final = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
      (code) => !errorCatalogue[code].retryable && code !== 'SIGNATURE_REPLAYED',
    )
    for (const code of final) {
      const { arrivals } = await visit(
        once(refusal(errorCatalogue[code].status, code, true, { 'retry-after': '0' })),
        mutate,
      )
      expect([code, arrivals.length]).toEqual([code, 1])
    }
  })

  const replayed = refusal(401, 'SIGNATURE_REPLAYED', false)
  test.each([
    { name: 'a read', act: read },
    { name: 'a mutation under its key', act: mutate },
  ])('$name that a proxy repeated is signed anew, under the same key', async ({ act }) => {
    const { outcome, arrivals, keys, keyed } = await visit(
      (arrival, count) =>
        isLookup(arrival) ? refusal(404, 'OPERATION_NOT_FOUND', false) : count === 1 ? replayed : {},
      act,
    )
    const sent = arrivals.filter((arrival) => !isLookup(arrival))
    expect([outcome, sent.length]).toEqual(['done', 2])
    expect(new Set(sent.map(({ headers }) => headers['signature-input'])).size).toBe(2)
    expect(new Set(keys).size).toBe(keyed.length === 0 ? 0 : 1)
  })

  test('the number of an agent that was registered a moment ago is waited for, and nothing is signed before', async () => {
    const settling = refusal(503, 'RATING_UNAVAILABLE', true, { 'retry-after': '10' })
    const body = { ...(settling.body as object), details: { task_id, is_settled: false } }
    const { outcome, waits, keyed } = await visit(
      (_, count) => (count < 4 ? { ...settling, body } : refusal(409, 'ALREADY_RATED', false)),
      (client) => client.rate({ task_id, direction: 'publisher_rates_executor', score: 80 }),
    )
    expect([outcome, waits]).toEqual(['ALREADY_RATED', [10_000, 10_000, 10_000]])
    expect(keyed.map(({ target }) => target)).toEqual(Array(4).fill('/api/v1/reputation/relay/prepare'))
  })

  test('a relay that is away is not waited for in this way', async () => {
    const { outcome, waits } = await visit(
      () => refusal(503, 'RATING_UNAVAILABLE', true, { 'retry-after': '2' }),
      (client) => client.rate({ task_id, direction: 'publisher_rates_executor', score: 80 }),
    )
    expect([outcome, waits.filter((ms) => ms > 4_000)]).toEqual(['RATING_UNAVAILABLE', []])
  })

  test('what is repeated on the way every time is given up in the end', async () => {
    const { outcome, arrivals } = await visit(() => replayed, read)
    expect([outcome, arrivals.length]).toEqual(['SIGNATURE_REPLAYED', 5])
  })

  test('a new attempt carries a fresh and valid signature', async () => {
    const { arrivals } = await visit(once(refusal(502, 'INTERNAL', true)), mutate)
    expect(arrivals.map(({ signature }) => signature.ok)).toEqual([true, true])
    expect(arrivals[0]?.headers['signature']).not.toBe(arrivals[1]?.headers['signature'])
  })

  test.each(['nonce_store_unavailable', 'identity_check_unavailable', 'SERVICE_BUSY', 'OUTCOME_UNKNOWN'])(
    'after %s the same call is signed anew, for its nonce may be spent',
    async (code) => {
      const { outcome, keyed, keys } = await visit(
        (arrival, count) => (count < 3 && !isLookup(arrival) ? refusal(503, code, true, { 'retry-after': '1' }) : {}),
        mutate,
      )
      expect(outcome).toBe('done')
      expect(new Set(keys).size).toBe(1)
      expect(new Set(keyed.map(({ headers }) => headers['signature-input'])).size).toBe(keyed.length)
      expect(keyed.map(({ signature }) => signature.ok)).toEqual(keyed.map(() => true))
    },
  )

  test('what nobody knows the outcome of is asked for first, and not sent again when it was done', async () => {
    const { outcome, keyed } = await visit(
      (arrival, count) =>
        count === 1
          ? refusal(503, 'OUTCOME_UNKNOWN', true, { 'retry-after': '2' })
          : isLookup(arrival)
            ? { body: { state: 'done', status: 201, answer: { id: 'first' } } }
            : { status: 500 },
      mutate,
    )
    expect([outcome, keyed.length]).toEqual(['done', 1])
  })

  test('Retry-After is honoured, and one beyond patience is reported', async () => {
    expect((await visit(once(refusal(503, 'SERVICE_BUSY', true, { 'retry-after': '3' })), read)).waits).toEqual([3_000])
    expect(await visit(once(refusal(503, 'SERVICE_BUSY', true, { 'retry-after': '3600' })), read)).toMatchObject({
      outcome: 'SERVICE_BUSY',
      waits: [],
    })
  })

  test('attempts are ever further apart', async () => {
    expect((await visit(() => refusal(502, 'INTERNAL', true), read)).waits).toEqual([250, 500, 1_000, 2_000])
  })

  test('patience has an end', async () => {
    const { outcome, arrivals } = await visit(() => refusal(503, 'SERVICE_BUSY', true), read)
    expect([outcome, arrivals.length]).toEqual(['SERVICE_BUSY', 5])
  })
})

describe('a lost answer is asked for before anything is sent again', () => {
  const lookup = (...states: readonly unknown[]): Answerer => {
    let asked = 0
    return (arrival, count) =>
      count === 1
        ? { hangUp: true }
        : isLookup(arrival)
          ? { body: states[Math.min(asked++, states.length - 1)] }
          : { status: 201, body: { id: 'sent again' } }
  }

  test('what is done answers, and is not sent again', async () => {
    const answered: unknown[] = []
    const { keyed, arrivals } = await visit(
      lookup({ state: 'done', status: 201, answer: { id: 'first' } }),
      async (client) => {
        answered.push(await client.call('tasks.publish', publish))
      },
    )
    expect([keyed.length, answered]).toEqual([
      1,
      [expect.objectContaining({ status: 201, data: { id: 'first' }, replayed: true })],
    ])
    expect(decodeURIComponent(arrivals[1]?.target ?? '')).toBe(
      `/api/v1/operations/${String(keyed[0]?.headers['x-idempotency-key'])}?operation=tasks.publish`,
    )
    expect(arrivals[1]?.signature.ok).toBe(true)
  })

  test('what was refused throws the refusal', async () => {
    const { outcome, keyed } = await visit(
      lookup({ state: 'done', status: 422, answer: { code: 'INVALID_BOUNTY', message: null, details: {} } }),
      (client) => client.tasks.publish({ ...publish, idempotency_key: 'mine' }),
    )
    expect([outcome, keyed.length]).toEqual(['INVALID_BOUNTY', 1])
  })

  test('what is under way is waited for', async () => {
    const { outcome, keyed, arrivals } = await visit(
      lookup({ state: 'in_flight' }, { state: 'in_flight' }, { state: 'done', status: 200, answer: {} }),
      mutate,
    )
    expect([outcome, keyed.length, arrivals.filter(isLookup).length]).toEqual(['done', 1, 3])
  })

  test.each(['not_seen', 'in_doubt'])('what is %s is sent again under the same key', async (state) => {
    const { outcome, keys } = await visit(lookup({ state }), mutate)
    expect(outcome).toBe('done')
    expect(keys).toEqual([keys[0], keys[0]])
  })

  test('when nothing answers at all, the error names the key to ask by', async () => {
    const seen: unknown[] = []
    const { keyed, keys } = await visit(
      () => ({ hangUp: true }),
      (client) =>
        client.tasks.publish(publish).catch((error: unknown) => {
          seen.push(error)
        }),
    )
    expect(keyed).toHaveLength(5)
    expect(seen).toEqual([
      expect.objectContaining({ code: 'unreachable', unanswered: true, pending: true, idempotencyKey: keys[0] }),
    ])
  })
})

describe('a repeated call is the same call', () => {
  const keysOf = async (act: (client: ReturnType<typeof createClient>) => Promise<unknown>) =>
    (await visit(() => ({}), act)).keys

  test('the same wallet, operation and content give the same key in any process', async () => {
    const [first, second] = [
      await keysOf(mutate),
      await keysOf((client) =>
        client.tasks.publish(Object.fromEntries(Object.entries(publish).reverse()) as typeof publish),
      ),
    ]
    expect(first).toEqual(second)
  })

  test('a reference tells two calls of the same content apart, and never travels', async () => {
    const { keys, keyed } = await visit(
      () => ({}),
      async (client) => {
        await client.tasks.publish({ ...publish, client_ref: 'a' })
        await client.tasks.publish({ ...publish, client_ref: 'b' })
        await client.tasks.publish(publish)
      },
    )
    expect(new Set(keys).size).toBe(3)
    expect(keyed.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(publish)))
  })

  test('the key of the caller is kept', async () => {
    expect(await keysOf((client) => client.tasks.publish({ ...publish, idempotency_key: 'mine' }))).toEqual(['mine'])
  })

  test('what sets a state may be said again: each call has a key of its own', async () => {
    const keys = await keysOf(async (client) => {
      for (const availability of ['paused', 'active', 'paused'] as const)
        await client.listings.update({ listing_id: task_id, availability })
    })
    expect(new Set(keys).size).toBe(3)
  })

  test('a remembered refusal does not stand in the way for ever', async () => {
    const { outcome, keys } = await visit(
      (_, count) => (count === 1 ? refusal(403, 'REPUTATION_TOO_LOW', false, { 'idempotent-replayed': 'true' }) : {}),
      (client) => client.tasks.apply({ task_id }),
    )
    expect(outcome).toBe('done')
    expect(new Set(keys).size).toBe(2)
  })

  test('keys differ exactly where calls differ', () => {
    const json = fc.jsonValue({ maxDepth: 2 })
    const call = fc.record({
      wallet: fc.constantFrom(signer.address, other.address, undefined),
      operation: fc.constantFrom<OperationName>('tasks.publish', 'tasks.assign'),
      input: fc.dictionary(fc.constantFrom('a', 'b', 'c'), json, { maxKeys: 2 }),
      clientRef: fc.constantFrom(undefined, 'x', 'y'),
      generation: fc.nat(1),
    })
    const essence = ({ wallet, operation, input, clientRef, generation }: Parameters<typeof contentKey>[0]) =>
      canonicalJson([wallet ?? '', operation, input, clientRef ?? '', generation])
    fc.assert(
      fc.property(
        call,
        call,
        (left, right) => (contentKey(left) === contentKey(right)) === (essence(left) === essence(right)),
      ),
    )
    fc.assert(fc.property(call, (one) => /^[\x21-\x7e]{1,128}$/.test(contentKey(one))))
  })

  test('whatever creates or moves something is told by its content', () => {
    // Object.keys of a constant object answers exactly its declared keys.
    const told = (Object.keys(operations) as OperationName[]).filter((name) => isToldByContent(operations[name]))
    expect(told).toEqual(
      expect.arrayContaining([
        'tasks.publish',
        'tasks.apply',
        'tasks.assign',
        'submissions.approve',
        'h2a.publish',
        'h2a.order',
        'h2a.approve',
        'listings.create',
        'listings.order',
        'escrow.refund',
        'reports.create',
        'reputation.submit',
      ]),
    )
    expect(told).not.toContain('tasks.get')
    expect(told.filter((name) => name.startsWith('webhooks.'))).toEqual(['webhooks.create'])
  })
})
