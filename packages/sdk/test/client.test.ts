import { operations, type OperationName } from '@ergon/contract'
import { privateKeySigner } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createClient, ErgonError } from '../src/index.ts'
import { recordingService, refusal } from './recording-service.ts'

const signer = privateKeySigner('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const task_id = '01890000-0000-7000-8000-000000000001'
const executor_id = '01890000-0000-7000-8000-000000000002'
const publish = {
  title: 'A photo of a door',
  instructions: 'Take one photo of the blue door.',
  category: 'simple_action',
  bounty_usd: 1.5,
  evidence_required: ['photo'],
} as const satisfies Parameters<ReturnType<typeof createClient>['tasks']['publish']>[0]

const asNamed = (
  client: ReturnType<typeof createClient>,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> =>
  // Only for walking over the names.
  client as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>

describe('every field travels where the operation says', () => {
  test('every operation of the contract is a method', () => {
    const client = asNamed(createClient({ baseUrl: 'http://127.0.0.1' }))
    // Object.keys of a constant object answers exactly its declared keys.
    const missing = (Object.keys(operations) as OperationName[]).filter((name) => {
      const [namespace = '', method = ''] = name.split('.')
      return typeof client[namespace]?.[method] !== 'function'
    })
    expect(missing).toEqual([])
  })

  test('path, header and body are filled and signed', async () => {
    await using service = await recordingService(() => ({ status: 201, body: { id: task_id } }))
    const client = createClient({ baseUrl: service.url, signer, chainId: 31337 })
    await client.tasks.publish({ ...publish, idempotency_key: 'once' })
    await client.tasks.assign({
      task_id,
      executor_id,
      payment_auth: '{"x402Version":2}',
      idempotency_key: 'assign once',
    })
    expect(
      service.arrivals.map(({ method, target, headers, body, signature }) => ({
        method,
        target,
        key: headers['x-idempotency-key'],
        payment: headers['x-payment-auth'],
        body: JSON.parse(body),
        signature,
      })),
    ).toEqual([
      {
        method: 'POST',
        target: '/api/v1/tasks',
        key: 'once',
        payment: undefined,
        body: publish,
        signature: { ok: true, chainId: 31337, address: signer.address, byKey: true },
      },
      {
        method: 'POST',
        target: `/api/v1/tasks/${task_id}/assign`,
        key: 'assign once',
        payment: '{"x402Version":2}',
        body: { executor_id },
        signature: { ok: true, chainId: 31337, address: signer.address, byKey: true },
      },
    ])
  })

  test('the query of a read is covered by its signature', async () => {
    await using service = await recordingService(() => ({ body: { tasks: [] } }))
    const client = createClient({ baseUrl: `${service.url}/`, signer, chainId: 8453 })
    await client.tasks.list({ status: 'published', limit: 5, cursor: 'a b/=?&é' })
    const [arrival] = service.arrivals
    expect(new URL(arrival?.target ?? '', service.url).searchParams.get('cursor')).toBe('a b/=?&é')
    expect(arrival?.signature).toEqual({ ok: true, chainId: 8453, address: signer.address, byKey: true })
    expect(arrival?.headers['signature-input']).toContain('"@query"')
  })

  test('without a signer nothing is signed', async () => {
    await using service = await recordingService(() => ({ body: { tasks: [] } }))
    await createClient({ baseUrl: service.url }).tasks.available()
    expect(service.arrivals[0]?.headers['signature']).toBeUndefined()
  })

  test('the chain of the keyid is asked of the service once when it is not given', async () => {
    await using service = await recordingService(({ target }) =>
      target.endsWith('/info') ? { body: { supported_chains: [31337, 8453] } } : { body: {} },
    )
    const client = createClient({ baseUrl: service.url, signer })
    await Promise.all([client.tasks.get({ task_id }), client.tasks.get({ task_id })])
    expect(service.arrivals.filter(({ target }) => target === '/api/v1/auth/erc8128/info')).toHaveLength(1)
    expect(service.arrivals.filter(({ signature }) => signature.ok && signature.chainId === 31337)).toHaveLength(2)
  })

  test('an id cannot name another route', async () => {
    await using service = await recordingService(() => ({}))
    const client = createClient({ baseUrl: service.url })
    await client.tasks.get({ task_id: '../workers' })
    expect(service.arrivals[0]?.target).toBe('/api/v1/tasks/..%2Fworkers')
    await expect(client.tasks.get({ task_id: '..' })).rejects.toThrow(TypeError)
  })

  test('a call by name tells 200 and 202 apart', async () => {
    await using service = await recordingService((_, count) => ({
      status: count === 1 ? 202 : 200,
      body: { status: 'assigning' },
    }))
    const client = createClient({ baseUrl: service.url, signer, chainId: 31337 })
    expect((await client.call('tasks.assign', { task_id, executor_id })).status).toBe(202)
    expect((await client.call('tasks.assign', { task_id, executor_id })).status).toBe(200)
  })
})

describe('a refusal is an error with the code of the catalogue', () => {
  test('every field of the envelope is kept', async () => {
    await using service = await recordingService(() => refusal(402, 'INSUFFICIENT_FUNDS', true))
    const error: unknown = await createClient({ baseUrl: service.url, signer, chainId: 31337 })
      .tasks.publish({ ...publish, idempotency_key: 'k' })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ErgonError)
    expect(error).toMatchObject({
      status: 402,
      code: 'INSUFFICIENT_FUNDS',
      retryable: true,
      recovery: 'Do it right.',
      details: { network: 'localnet' },
      requestId: 'req-1',
      idempotencyKey: 'k',
    })
    expect(error instanceof ErgonError && error.is('INSUFFICIENT_FUNDS', 'LOCK_REVERTED')).toBe(true)
    expect(error instanceof ErgonError && error.is('NETWORK_MISMATCH')).toBe(false)
  })

  test('an answer of a foreign shape is still an error', async () => {
    await using service = await recordingService(() => ({ status: 404, body: 'a page' }))
    await expect(createClient({ baseUrl: service.url }).tasks.get({ task_id })).rejects.toMatchObject({
      status: 404,
      code: 'HTTP_404',
      retryable: false,
      recovery: 'Not the service answered, but a proxy or another program: check the address, or ask again later.',
    })
  })

  test.each(['127.0.0.1:4020', 'localhost:4020', 'market.example', '', undefined])(
    'the address %s is none',
    (baseUrl) => {
      expect(() => createClient({ baseUrl: baseUrl as string })).toThrow(
        `baseUrl is the address of a service, with http:// or https:// before it; not ${String(baseUrl)}`,
      )
    },
  )

  test('a redirect is not followed', async () => {
    await using service = await recordingService(() => ({ status: 302, headers: { location: '/elsewhere' } }))
    await expect(
      createClient({ baseUrl: service.url, retry: { attempts: 1, firstDelayMs: 1, maxDelayMs: 1 } }).tasks.get({
        task_id,
      }),
    ).rejects.toMatchObject({ code: 'unreachable' })
    expect(service.arrivals).toHaveLength(1)
  })

  test('silence ends in a timeout', async () => {
    await using service = await recordingService(() => ({ silent: true }))
    const client = createClient({
      baseUrl: service.url,
      signer,
      chainId: 31337,
      timeoutMs: 50,
      retry: { attempts: 1, firstDelayMs: 1, maxDelayMs: 1 },
    })
    await expect(client.tasks.publish(publish)).rejects.toMatchObject({ status: 0, code: 'timeout' })
    expect(service.arrivals).toHaveLength(1)
  })
})
