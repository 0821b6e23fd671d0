import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendParts, sendWhole } from '@ergon/process/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRig, startRigBeside, type Rig } from './harness.ts'
import {
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  caip2,
  escrowRequirements,
  exactV1,
  exactV2,
  facilitator,
  releaseBody,
  stranger,
  worker,
} from '../src/testing/payments.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

type Payload = { readonly authorization: object }

/** A payment with a field nobody knows where money is decided. */
function withSurprise(where: 'payload' | 'authorization'): object {
  const { paymentPayload, ...body } = exactV2(aTransfer()) as { paymentPayload: { payload: Payload } }
  const { payload } = paymentPayload
  const strange =
    where === 'payload'
      ? { ...payload, surprise: 1 }
      : { ...payload, authorization: { ...payload.authorization, surprise: 1 } }
  return { ...body, paymentPayload: { ...paymentPayload, payload: strange } }
}

describe('input', () => {
  test.each<[string, unknown]>([
    ['that is not JSON', '{'],
    ['that is a list', []],
    ['that is null', null],
    ['with another version', { ...exactV2(aTransfer()), x402Version: 3 }],
    ['with an unknown field beside what is signed', withSurprise('payload')],
    ['with an unknown field in what is signed', withSurprise('authorization')],
    ['with a number for an amount', exactV1(aTransfer(), { requirements: { maxAmountRequired: 50_000 } })],
    ['with a negative amount', exactV1(aTransfer(), { requirements: { maxAmountRequired: '-1' } })],
    ['with an amount in hex', exactV1(aTransfer(), { requirements: { maxAmountRequired: '0x10' } })],
    ['with an address that is none', exactV1(aTransfer(), { requirements: { payTo: '0x12' } })],
  ])('%s is refused with 400 by both endpoints', async (_what, body) => {
    expect((await rig.post('/verify', body as object)).status).toBe(400)
    expect(await rig.post('/settle', body as object)).toMatchObject({ status: 400, body: { success: false } })
  })

  test('with fields of its own around what is signed is taken as it is', async () => {
    const body = exactV2(aTransfer({ value: 1_000n }), { requirements: { surprise: 1, mimeType: null } })
    const envelope = { ...body, surprise: 1, paymentPayload: { ...(body['paymentPayload'] as object), surprise: 1 } }
    expect((await rig.post('/verify', envelope)).body).toMatchObject({ isValid: true })
    expect((await rig.post('/settle', envelope)).body).toMatchObject({ success: true })
  })

  test('over 64 KiB is refused with 413', async () => {
    expect((await rig.post('/settle', JSON.stringify({ padding: 'x'.repeat(70_000) }))).status).toBe(413)
  })

  test('of many MiB is refused, and its sender reads that', async () => {
    for (let round = 0; round < 6; round += 1)
      expect(await sendWhole(Number(new URL(rig.url).port), '/settle', 16 * 1_048_576)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('without any body is refused', async () => {
    expect((await fetch(`${rig.url}/settle`, { method: 'POST' })).status).toBe(400)
    expect((await rig.get('/nothing')).status).toBe(404)
  })
})

describe('a request that is written oddly', () => {
  const order = JSON.stringify(exactV1(aTransfer()))
  const post = (lines: string, body = order): string =>
    `POST /verify HTTP/1.1\r\nHost: f\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${lines}\r\n${body}`
  const get = (target: string, lines = 'Host: f\r\n'): string =>
    `GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`
  const say = (bytes: string, isEnded = false): Promise<string> =>
    sendParts(Number(new URL(rig.url).port), [bytes], isEnded)

  test.each([
    ['with something behind it that is no request', post('') + 'GARBAGE\r\n\r\n', false],
    ['with another behind the last of its connection', post('Connection: close\r\n') + post(''), false],
    ['whose sender ends its side', post(''), true],
    ['in absolute form', post('Connection: close\r\n').replace('/verify', 'http://f/verify'), false],
  ])('%s is answered once, with what became of it', async (_what, bytes, isEnded) => {
    const heard = await say(bytes, isEnded)
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    expect(heard).toContain('"isValid":true')
  })

  test.each([
    ['a path that is none', get('/supported/%zz'), 404, 'not_found'],
    ['bytes that are no request', '\x16\x03\x01', 400, 'bad_request'],
    ['headers beyond measure', get('/supported', `X: ${'x'.repeat(20_000)}\r\n`), 431, 'request_headers_too_large'],
    ['no host', get('/supported', ''), 400, 'bad_request'],
    ['two hosts', get('/supported', 'Host: f\r\nHost: g\r\n'), 400, 'bad_request'],
    ['a body in a coding', post('Content-Encoding: gzip\r\nConnection: close\r\n'), 415, 'content_encoding_not_read'],
    [
      'a large body that is held back',
      post('Expect: 100-continue\r\n', '').replace(': 0', ': 70000'),
      413,
      'request_body_too_large',
    ],
  ])('%s: refused in words of our own', async (_what, bytes, status, error) => {
    const heard = await say(bytes)
    expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(heard.slice(heard.indexOf('\r\n\r\n')))).toMatchObject({ error })
  })

  test('HEAD answers what GET does, without the content', async () => {
    const { status, headers } = await fetch(`${rig.url}/supported`, { method: 'HEAD' })
    const { length } = await (await fetch(`${rig.url}/supported`)).text()
    expect([status, headers.get('content-length')]).toEqual([200, String(length)])
  })
})

describe('the service describes itself', () => {
  test('health, version and what it supports', async () => {
    expect((await rig.get('/health')).body).toEqual({
      status: 'healthy',
      networks: [
        {
          network: 'localnet',
          account: facilitator.address,
          gas_balance: expect.stringMatching(/^[0-9]{22,23}$/) as string,
          gas_low: false,
          nodes: { all: 1, answering: 1 },
        },
      ],
      event_loop_delay_ms: expect.any(Number),
      gas: { spent: 0, limit: 2_000_000_000, resets_at: expect.stringMatching(/T00:00:00.000Z$/) as string },
    })
    expect((await rig.get('/version')).body['version']).toMatch(/^2\./)
    const kinds = (await rig.get('/supported')).body['kinds'] as {
      x402Version: number
      scheme: string
      network: string
    }[]
    expect(kinds.map((kind) => `${kind.x402Version} ${kind.scheme} ${kind.network}`)).toEqual([
      `1 exact localnet`,
      `2 exact ${caip2}`,
      `2 escrow ${caip2}`,
      `2 commerce ${caip2}`,
    ])
    for (const path of ['/verify', '/settle', '/register', '/feedback'])
      expect((await rig.get(path)).body['endpoint']).toBe(path)
    expect((await rig.get('/blacklist')).body).toMatchObject({ total_blocked: 0, source: 'none' })
  })

  test('accepts keeps what it can settle and overwrites nothing', async () => {
    const mine = {
      scheme: 'exact',
      network: caip2,
      amount: '1',
      asset: worker.address,
      payTo: worker.address,
      maxTimeoutSeconds: 1,
      extra: { tokens: 'own' },
    }
    const { body } = await rig.post('/accepts', { x402Version: 2, accepts: [mine, { ...mine, network: 'eip155:1' }] })
    expect(body).toMatchObject({ x402Version: 2, accepts: [{ network: caip2, extra: { tokens: 'own' } }], error: '' })
    expect(body['accepts']).toHaveLength(1)
    expect(await rig.post('/accepts', { x402Version: 2 })).toMatchObject({
      status: 400,
      body: { accepts: [], error: "Missing or invalid 'accepts' array" },
    })
  })

  test('the commerce alias and the wrapped form settle like escrow', async () => {
    const info = aPaymentInfo()
    const { payload } = authorizeBody(info) as { payload: unknown }
    const wrapped = {
      x402Version: 2,
      paymentPayload: {
        x402Version: 2,
        payload,
        accepted: escrowRequirements({ scheme: 'commerce', action: 'authorize' }),
      },
    }
    expect(await rig.post('/settle', wrapped)).toMatchObject({ status: 200, body: { success: true, network: caip2 } })
    const release = releaseBody(info, 1_000n) as { payload: unknown; paymentRequirements: object }
    const accepted = { ...release.paymentRequirements, action: 'release' }
    expect(
      await rig.post('/settle', { x402Version: 2, paymentPayload: { payload: release.payload, accepted } }),
    ).toMatchObject({ status: 200, body: { success: true } })
  })

  test('the state of a payment that does not exist is empty', async () => {
    const info = aPaymentInfo()
    const { payload } = authorizeBody(info) as { payload: { paymentInfo: object } }
    const state = {
      paymentInfo: payload.paymentInfo,
      payer: info.payer,
      network: caip2,
      extra: escrowRequirements()['extra'],
    }
    expect((await rig.post('/escrow/state', state)).body).toMatchObject({
      hasCollectedPayment: false,
      capturableAmount: '0',
      refundableAmount: '0',
    })
    expect((await rig.post('/escrow/state', { ...state, network: 'localnet' })).body).toMatchObject({
      network: 'localnet',
      paymentInfoHash: expect.stringMatching(/^0x/) as string,
    })
    expect(await rig.post('/escrow/state', { ...state, network: 'eip155:1' })).toMatchObject({ status: 400 })
  })
})

describe('settings', () => {
  test('a blacklisted party is refused with 403 on either side', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facilitator-test-'))
    const file = join(folder, 'blacklist.json')
    writeFileSync(
      file,
      JSON.stringify([
        { account_type: 'evm', wallet: stranger.address.toUpperCase().replace('0X', '0x'), reason: 'test' },
      ]),
    )
    await using blocked = await startRigBeside(rig.chain, {
      FACILITATOR_BLACKLIST_FILE: file,
      FACILITATOR_KEY: '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
    })
    const toStranger = exactV2(aTransfer({ to: stranger.address }))
    expect(await blocked.post('/verify', toStranger)).toMatchObject({
      status: 403,
      body: { error: `Address blocked: ${stranger.address}` },
    })
    expect((await blocked.post('/settle', toStranger)).status).toBe(403)
    expect((await blocked.post('/settle', authorizeBody(aPaymentInfo({ receiver: stranger.address })))).status).toBe(
      403,
    )
    expect(
      (
        await blocked.post('/register', {
          network: 'localnet',
          agentUri: 'https://a.example',
          recipient: stranger.address,
        })
      ).status,
    ).toBe(403)
    expect((await blocked.get('/blacklist')).body).toMatchObject({ total_blocked: 1, evm_count: 1, source: 'file' })
    rmSync(folder, { recursive: true })
  })

  test('an endpoint has one limit, however its path is written', async () => {
    await using limited = await startRigBeside(rig.chain, { FACILITATOR_RATE_LIMIT: '6/0.5' })
    const written = ['/register', '/%72egister', '/regis%74er?x=1', '/%66eedback', '/%73ettle']
    const answers = await Promise.all(written.map((path) => limited.post(path, {})))
    expect(answers.map(({ status, body }) => [status, body['errorCode'] ?? body['error']])).toEqual([
      [400, 'invalid_payload'],
      [429, 'rate_limited'],
      [429, 'rate_limited'],
      [429, 'rate_limited'],
      [400, 'invalid_x402_version'],
    ])
  })

  test.each(['-'.repeat(36), 'a'.repeat(36), '00000000-0000-0000-0000-000000000000'])(
    'the job %s is nobody’s',
    async (id) => {
      expect(await rig.get(`/register/status/${id}`)).toMatchObject({ status: 404, body: { errorCode: 'not_found' } })
    },
  )

  test('reads of a chain have a limit of their own, and leave that of payments alone', async () => {
    await using limited = await startRigBeside(rig.chain, { FACILITATOR_RATE_LIMIT: '2/0.001' })
    const read = [
      '/identity/localnet/total-supply',
      '/reputation/localnet/1',
      `/identity/localnet/owner/${worker.address}`,
    ]
    const statuses: number[] = []
    for (const path of [...read, '/%69dentity/localnet/1']) statuses.push((await limited.get(path)).status)
    expect(statuses).toEqual([200, expect.any(Number), 429, 429])
    expect((await limited.post('/verify', exactV2(aTransfer()))).status).toBe(200)
    expect((await limited.get('/health')).status).toBe(200)
  })

  test('a rate limit answers 429 with Retry-After', async () => {
    await using limited = await startRigBeside(rig.chain, {
      FACILITATOR_RATE_LIMIT: '3/0.5',
      FACILITATOR_ADMIN_TOKEN: '',
    })
    const statuses = await Promise.all(Array.from({ length: 5 }, () => limited.post('/verify', exactV2(aTransfer()))))
    expect(statuses.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 429, 429])
    expect(statuses.find((answer) => answer.status === 429)?.headers.get('retry-after')).toBe('2')
    expect((await limited.get('/health')).status).toBe(200)
    expect((await limited.post('/feedback/revoke', { network: 'localnet', agentId: 0, feedbackIndex: 1 })).status).toBe(
      404,
    )
  })
})
