import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBase58, utf8 } from '@ergon/protocols'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payoutText } from '../../src/api/payout-proof.ts'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import {
  aTask,
  applied,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { sendJson, signedIn } from './live-people.ts'

const agentKey = 'svc_growth_0123456789abcdef0123456789abcdef'
const folder = mkdtempSync(join(tmpdir(), 'agent-keys-'))
const keyFile = join(folder, 'keys.json')

let market: LiveMarket
beforeAll(async () => {
  writeFileSync(
    keyFile,
    JSON.stringify([{ sha256: createHash('sha256').update(agentKey).digest('hex'), agent_id: 7, tier: 'growth' }]),
  )
  market = await startLiveMarket({ SVC_AGENT_KEYS: keyFile })
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const exportPath = '/api/v1/account/export'
const payoutPath = '/api/v1/account/solana-payout-address'

async function registered(party: Party): Promise<string> {
  return String(
    expectStatus(await party.call('POST', '/api/v1/workers/register', { name: 'Ada', executor_type: 'agent' }), 201)
      .body['id'],
  )
}

describe('the export (spec §4)', () => {
  test('is an attachment for the wallet that signs or is signed in, and 403 for nobody', async () => {
    const party = await market.party(0n)
    const executorId = await registered(party)
    const reply = expectStatus(await party.call('GET', exportPath), 200)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(reply.headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="account-${party.wallet.toLowerCase()}-\\d{4}-\\d{2}-\\d{2}\\.json"$`),
    )
    expect(reply.body).toMatchObject({
      executor_id: executorId,
      profile: { display_name: 'Ada' },
      submissions: [],
      applications: [],
      reports: [],
      blocked_users: [],
      identities: [{ network: 'localnet' }],
    })
    const person = await signedIn(market, party)
    expect(expectStatus(await person.call('GET', exportPath), 200).body).toMatchObject({
      executor_id: executorId,
      sessions: [{ chain_id: 31337 }],
    })
    const nobody = await market.get(exportPath)
    expect([nobody.status, nobody.body.code]).toEqual([403, 'SIGNATURE_REQUIRED'])
  })

  test('is given five times an hour to a wallet', async () => {
    const [party, other] = [await market.party(0n), await market.party(0n)]
    for (let count = 0; count < 5; count += 1) expectStatus(await party.call('GET', exportPath), 200)
    const sixth = await party.call('GET', exportPath)
    expect([sixth.status, sixth.body.code, sixth.body.details?.['limit']]).toEqual([429, 'RATE_LIMITED', 5])
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(3_000)
    expectStatus(await other.call('GET', exportPath), 200)
  })
})

describe('the deletion', () => {
  test('waits for work in flight, then ends every session and leaves an empty profile', async () => {
    const [publisher, worker] = [await market.party(5n), await market.party(0n)]
    const executorId = await registered(worker)
    const [here, elsewhere] = [await signedIn(market, worker), await signedIn(market, worker)]
    const job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const busy = await here.call('DELETE', '/api/v1/account')
    expect([busy.status, busy.body.code, busy.body.details?.['task_ids']]).toEqual([409, 'ACCOUNT_BUSY', [job.taskId]])
    expectStatus(await publisher.call('DELETE', `/api/v1/tasks/${job.taskId}`), 200)
    const gone = expectStatus(await here.call('DELETE', '/api/v1/account'), 200)
    expect(gone.body['message']).toContain('anonymised')
    expect(String(gone.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await here.call('GET', exportPath)).status).toBe(403)
    await expect.poll(async () => (await elsewhere.call('GET', exportPath)).status, { interval: 250 }).toBe(403)
    expect((await market.get(`/api/v1/workers/${executorId}`)).body).toMatchObject({
      display_name: null,
      wallet_address: worker.wallet.toLowerCase(),
    })
    expectStatus(await worker.call('DELETE', '/api/v1/account'), 200)
    expect(await registered(worker)).toBe(executorId)
    expect((await sendJson(market.url, 'DELETE', '/api/v1/account', undefined, {})).status).toBe(401)
  })
})

describe('the payout address on Solana', () => {
  const { privateKey: secret, publicKey } = generateKeyPairSync('ed25519')
  const address = toBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const bodyFor = (
    wallet: string,
    executorId: string,
    change: { readonly at?: Date; readonly by?: KeyObject; readonly address?: string } = {},
  ) => {
    const message = payoutText({
      service: authority,
      wallet: wallet.toLowerCase(),
      executorId,
      address: change.address ?? address,
      issuedAt: (change.at ?? new Date()).toISOString(),
    })
    return {
      solana_payout_address: change.address ?? address,
      message,
      signature: toBase58(sign(null, utf8(message), change.by ?? secret)),
    }
  }

  test('is bound by its own key and shown to the worker alone', async () => {
    const [worker, other] = [await market.party(0n), await market.party(0n)]
    const early = await worker.call('PATCH', payoutPath, bodyFor(worker.wallet, '01890a5d-ac96-774b-bcce-b302099a8057'))
    expect([early.status, early.body.code]).toEqual([404, 'WORKER_NOT_FOUND'])
    const executorId = await registered(worker)
    expect(expectStatus(await worker.call('PATCH', payoutPath, bodyFor(worker.wallet, executorId)), 200).body).toEqual({
      executor_id: executorId,
      solana_payout_address: address,
    })
    const path = `/api/v1/workers/${executorId}`
    expect((await worker.call('GET', path)).body['solana_payout_address']).toBe(address)
    expect(
      [(await other.call('GET', path)).body, (await market.get(path)).body].map(
        (body) => 'solana_payout_address' in body,
      ),
    ).toEqual([false, false])
  })

  test('is not set back by a proof that was used before, and a repeat of the last one changes nothing', async () => {
    const worker = await market.party(0n)
    const executorId = await registered(worker)
    const other = generateKeyPairSync('ed25519')
    const otherAddress = toBase58(Buffer.from(other.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    const first = bodyFor(worker.wallet, executorId)
    const second = bodyFor(worker.wallet, executorId, { by: other.privateKey, address: otherAddress })
    for (const body of [first, first, second, second]) expectStatus(await worker.call('PATCH', payoutPath, body), 200)
    const replayed = await worker.call('PATCH', payoutPath, first)
    expect([replayed.status, replayed.body.code]).toEqual([422, 'PAYOUT_PROOF_INVALID'])
    const shown = await worker.call('GET', `/api/v1/workers/${executorId}`)
    expect(shown.body['solana_payout_address']).toBe(otherAddress)
    const later = bodyFor(worker.wallet, executorId, { at: new Date(Date.now() + 1_000) })
    expectStatus(await worker.call('PATCH', payoutPath, later), 200)
  })

  test('may be proven so often an hour', async () => {
    const worker = await market.party(0n)
    const executorId = await registered(worker)
    const body = bodyFor(worker.wallet, executorId)
    for (let count = 0; count < 60; count += 1) expectStatus(await worker.call('PATCH', payoutPath, body), 200)
    const { status, body: refused } = await worker.call('PATCH', payoutPath, body)
    expect([status, refused.code]).toEqual([429, 'RATE_LIMITED'])
  })

  test('is refused when anything of the proof is another', async () => {
    const worker = await market.party(0n)
    const executorId = await registered(worker)
    const good = bodyFor(worker.wallet, executorId)
    const smallOrder = toBase58(Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0)))
    const cases = [
      [
        'another key',
        bodyFor(worker.wallet, executorId, { by: generateKeyPairSync('ed25519').privateKey }),
        'signature',
      ],
      [
        'a text of eleven minutes ago',
        bodyFor(worker.wallet, executorId, { at: new Date(Date.now() - 660_000) }),
        'message',
      ],
      ['a text of tomorrow', bodyFor(worker.wallet, executorId, { at: new Date(Date.now() + 86_400_000) }), 'message'],
      ['a text of another wallet', bodyFor(`0x${'1'.repeat(40)}`, executorId), 'message'],
      [
        'a text for another service',
        (() => {
          const message = good.message.replace(/Service: .*/, 'Service: evil.example')
          return { ...good, message, signature: toBase58(sign(null, utf8(message), secret)) }
        })(),
        'message',
      ],
      ['a text of another worker', bodyFor(worker.wallet, '01890a5d-ac96-774b-bcce-b302099a8057'), 'message'],
      ['a text with a line more', { ...good, message: `${good.message}\nAnd more` }, 'message'],
      [
        'an address of 31 bytes',
        bodyFor(worker.wallet, executorId, {
          address: toBase58(new Uint8Array(31).fill(255)).padStart(32, '1').slice(0, 43),
        }),
        'solana_payout_address',
      ],
      ['an address nobody has the key of', bodyFor(worker.wallet, executorId, { address: smallOrder }), 'signature'],
    ] as const
    for (const [what, body, field] of cases) {
      const reply = await worker.call('PATCH', payoutPath, body)
      expect([what, reply.status, reply.body.code, reply.body.details?.['field']]).toEqual([
        what,
        422,
        'PAYOUT_PROOF_INVALID',
        field,
      ])
    }
    expect((await worker.call('PATCH', payoutPath, { ...good, solana_payout_address: '0OIl' })).body.code).toBe(
      'VALIDATION_FAILED',
    )
    expect((await worker.call('GET', `/api/v1/workers/${executorId}`)).body['solana_payout_address']).toBeNull()
  })
})

describe('the link to an external signer', () => {
  test('is honest about a rail that is not wired', async () => {
    const party = await market.party(0n)
    expect(expectStatus(await party.call('GET', '/api/v1/account/paybox-link'), 200).body).toEqual({
      status: 'unlinked',
      enabled: false,
    })
    expect(expectStatus(await party.call('DELETE', '/api/v1/account/paybox-link'), 200).body).toEqual({
      deleted: false,
      status: 'unlinked',
    })
    expect([
      (await market.get('/api/v1/account/paybox-link')).status,
      (await sendJson(market.url, 'DELETE', '/api/v1/account/paybox-link', undefined, {})).status,
    ]).toEqual([403, 401])
  })
})

describe('the exchange of an agent key (spec §5.11)', () => {
  const exchange = (apiKey: string, headers: Readonly<Record<string, string>> = {}) =>
    sendJson(market.url, 'POST', '/api/v1/agent/auth', { api_key: apiKey }, headers)

  test('gives a token of its own type for a key in the body, and 401 for any other', async () => {
    const reply = expectStatus(await exchange(agentKey), 200)
    expect(reply.body).toMatchObject({ agent_id: 7, tier: 'growth' })
    const token = String(reply.body['token'])
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'svc-dash+jwt' })
    const { exp, iat, ...claims } = decodeJwt(token)
    expect(claims).toEqual({ sub: 'agent:7', agent_id: 7, tier: 'growth', type: 'agent', aud: `http://${authority}` })
    expect([(exp ?? 0) - (iat ?? 0), new Date((exp ?? 0) * 1_000).toISOString()]).toEqual([
      86_400,
      reply.body['expires_at'],
    ])
    const wrong = await exchange('svc_growth_ffffffffffffffffffffffffffffffff')
    expect([wrong.status, wrong.body.code, typeof wrong.body['error'], typeof wrong.body['message']]).toEqual([
      401,
      'AGENT_KEY_REFUSED',
      'string',
      'string',
    ])
    expect((await exchange('short')).body.code).toBe('VALIDATION_FAILED')
    const asCookie = await send(market.url, 'GET', exportPath, { host: authority, cookie: `svc_session=${token}` })
    expect([asCookie.status, (await exchange(agentKey, { 'x-api-key': agentKey })).status]).toEqual([403, 403])
  })

  test('has ten tries a minute', async () => {
    await expect
      .poll(async () => (await exchange('svc_free_000000000000')).body.code, { interval: 1 })
      .toBe('RATE_LIMITED')
  })
})

describe('blocks and reports over HTTP', () => {
  test('are made, listed and taken back by the signer, and a blocked wallet is told so', async () => {
    const [publisher, worker] = [await market.party(0n), await market.party(0n)]
    const taskId = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
    expectStatus(await worker.call('POST', '/api/v1/users/block', { wallet: publisher.wallet }), 201)
    expect((await worker.call('GET', '/api/v1/users/blocked')).body).toMatchObject({
      total: 1,
      blocked: [{ wallet: publisher.wallet.toLowerCase() }],
    })
    const refused = await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {})
    expect([refused.status, refused.body.code]).toEqual([403, 'PARTY_BLOCKED'])
    expect(
      expectStatus(await worker.call('DELETE', `/api/v1/users/block?wallet=${publisher.wallet}`), 200).body['removed'],
    ).toBe(true)
    expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/apply`, {}), 201)
    const report = expectStatus(
      await worker.call('POST', '/api/v1/reports', {
        target: 'task',
        target_id: taskId,
        reason: 'unsafe',
        note: 'The gate leads to a quarry.',
      }),
      201,
    )
    expect((await worker.call('GET', '/api/v1/reports')).body).toMatchObject({ total: 1, reports: [report.body] })
    expect(
      (await worker.call('POST', '/api/v1/reports', { target: 'cat', target_id: taskId, reason: 'unsafe' })).body.code,
    ).toBe('VALIDATION_FAILED')
    expect((await market.get('/api/v1/reports')).body).toMatchObject({ reports: [], total: 0 })
    expect((await market.get('/api/v1/users/blocked')).body).toMatchObject({ blocked: [], total: 0 })
  })
})

describe('what a wallet reads before it pays', () => {
  test('its balance on every network served, and the contracts of the escrow', async () => {
    const party = await market.party(5n)
    expect((await market.get(`/api/v1/payments/balance/${party.wallet}`)).body).toMatchObject({
      wallet: party.wallet.toLowerCase(),
      balances: [{ network: 'localnet', token: 'USDC', status: 'ok', balance_usd: 5, balance_atomic: '5000000' }],
    })
    const config = expectStatus(await market.get('/api/v1/escrow/config'), 200)
    const networks = (await market.get('/api/v1/payments/networks')).body['networks'] as readonly {
      readonly escrow: object
    }[] // the contract's output
    expect(config.body).toMatchObject({
      network: 'localnet',
      chain_id: 31337,
      payment_mode: 'fase2',
      max_fee_bps: 1300,
      deposit_limit_usd: 100,
      ...networks[0]?.escrow,
    })
    expect((await market.get('/api/v1/escrow/config?network=base')).body.code).toBe('NETWORK_NOT_ACCEPTED')
    expect((await market.get('/api/v1/payments/balance/0x12')).body.code).toBe('VALIDATION_FAILED')
  })

  test('the payment of a task and its transactions stand below the task too', async () => {
    const publisher = await market.party(0n)
    const taskId = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
    expect((await market.get(`/api/v1/tasks/${taskId}/payment`)).body).toEqual(
      (await market.get(`/api/v1/payments/${taskId}`)).body,
    )
    expect((await market.get(`/api/v1/tasks/${taskId}/transactions`)).body).toEqual(
      (await market.get(`/api/v1/payments/events/${taskId}`)).body,
    )
  })

  test('metered funding is refused by name while no channel can be bound (spec §1)', async () => {
    const publisher = await market.party(0n)
    const streaming = { rail: 'solana_channel', unit: 'minute', price_per_unit: '0.01', cap_usd: '1' }
    const metered = await publisher.call(
      'POST',
      '/api/v1/tasks',
      aTask({ payment_network: 'solana', payment_streaming: streaming }),
    )
    expect([metered.status, metered.body.code, metered.body.details?.['field']]).toEqual([
      501,
      'NOT_WIRED',
      'payment_streaming',
    ])
    const onSolana = await publisher.call('POST', '/api/v1/tasks', aTask({ payment_network: 'solana' }))
    expect([onSolana.status, onSolana.body.code]).toEqual([422, 'NETWORK_NOT_ACCEPTED'])
    const tick = await publisher.call('POST', '/api/v1/tasks/01890a5d-ac96-774b-bcce-b302099a8057/tick', {
      evidence: {},
    })
    expect([tick.status, tick.body.code]).toEqual([501, 'NOT_WIRED'])
  })
})
