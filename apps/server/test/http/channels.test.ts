import { signVoucher } from '@ergon/channels'
import { operations } from '@ergon/contract'
import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bindFields, ledgerKey, liveChannels, metered, opened, perScan, type Metered } from './live-channels.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from './live-market.ts'

const { fake, wired } = liveChannels()
let market: LiveMarket
let publisher: Party
let worker: Party
let stranger: Party
beforeAll(async () => {
  market = await startLiveMarket({}, undefined, { channels: wired, withoutDuties: true })
  publisher = await market.party(0n)
  worker = await market.party(0n)
  stranger = await market.party(0n)
})
afterAll(() => market[Symbol.asyncDispose]())

const path = (taskId: string, rest: string): string => `/api/v1/tasks/${taskId}/${rest}`
const tick = (by: Party, taskId: string, change: object = {}, headers: Record<string, string> = {}) =>
  by.call('POST', path(taskId, 'tick'), { evidence: { seen: 3 }, ...change }, headers)
const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']]

async function bound(streaming: object = perScan, deposit?: bigint): Promise<Metered & { readonly channelId: string }> {
  const job = await metered(publisher, worker, streaming)
  const fields = opened(fake, publisher, job, deposit)
  expectStatus(await publisher.call('POST', path(job.taskId, 'channel'), fields), 200)
  return { ...job, channelId: fields.channel_id }
}

test('a buyer that signs names its key at binding, and each tick carries its voucher', async () => {
  const job = await metered(publisher, worker)
  const seed = new Uint8Array(32).fill(77)
  const authorized_signer = toBase58(ed25519KeyOf(seed))
  const fields = { ...opened(fake, publisher, job), authorized_signer }
  const { channel_id: channelId } = fields
  const kept = fake.kept.get(channelId)
  if (kept === undefined) throw new Error('no channel was opened')
  fake.kept.set(channelId, { ...kept, voucherKey: authorized_signer })
  const bound = expectStatus(await publisher.call('POST', path(job.taskId, 'channel'), fields), 200)
  expect(bound.body).toMatchObject({ authorized_signer, voucher_signer: 'client' })
  const voucherOver = (cumulative: bigint, change: object = {}) => ({
    voucher: { channelId, cumulativeAmount: cumulative.toString(), expiresAt: 0 },
    signature: signVoucher({ channelId, cumulative, expiresAt: 0n }, seed),
    ...change,
  })
  expect(refusal(await tick(worker, job.taskId))).toEqual([422, 'VALIDATION_FAILED'])
  const said = { signer: authorized_signer, signatureType: 'ed25519' }
  expectStatus(await tick(worker, job.taskId, { voucher: voucherOver(300n, said) }), 200)
  expectStatus(await tick(publisher, job.taskId, { voucher: voucherOver(600n) }), 200)
  const again = await tick(worker, job.taskId, { voucher: voucherOver(600n) })
  expect(again.body).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'voucher', fault: 'not_raised' } })
  const late = { voucher: { channelId, cumulativeAmount: '900', expiresAt: 1_900_000_000 } }
  expect(refusal(await tick(worker, job.taskId, { voucher: voucherOver(900n, late) }))[0]).toBe(422)
  const over = await tick(worker, job.taskId, { voucher: voucherOver(1_001n) })
  expect(over.body['code']).toBe('SESSION_CAP_EXCEEDED')
  const own = expectStatus(await worker.call('GET', path(job.taskId, 'channel')), 200)
  expect(own.body['newest_voucher']).toEqual({ ...voucherOver(600n, said) })
})

describe('binding a channel', () => {
  test('answers the channel on its terms, and so does a repeat', async () => {
    const job = await metered(publisher, worker)
    const fields = opened(fake, publisher, job)
    const first = expectStatus(await publisher.call('POST', path(job.taskId, 'channel'), fields), 200)
    expect([...Compile(operations['channels.bind'].output).Errors(first.body)]).toEqual([])
    expect(first.body).toMatchObject({
      task_id: job.taskId,
      channel_id: fields.channel_id,
      payer: fields.payer,
      worker: job.payout.address,
      splits: [{ recipient: job.payout.address, bps: 8_700 }],
      authorized_signer: fake.facts.signer,
      deposit_usd: 0.005,
      cap_usd: 0.001,
      status: 'open',
      vouchers: 0,
      newest_voucher: null,
    })
    const again = expectStatus(await publisher.call('POST', path(job.taskId, 'channel'), fields), 200)
    expect(again.body).toEqual(first.body)
  })

  test('needs the key of the payer: over this service, wallet, task and channel, and fresh', async () => {
    const job = await metered(publisher, worker)
    const { taskId } = job
    const payer = ledgerKey()
    const channelId = ledgerKey().address
    fake.kept.set(channelId, { payer: payer.address, worker: job.payout.address, deposit: 5_000n })
    const good = bindFields({ publisher, taskId, channelId, payer })
    const other = ledgerKey()
    const old = new Date(Date.now() - 601_000).toISOString()
    const early = new Date(Date.now() + 60_000).toISOString()
    const hostile: Record<string, object> = {
      'another key': { ...good, signature: other.sign(good.message) },
      'another text': { ...good, message: `${good.message} `, signature: payer.sign(`${good.message} `) },
      'another service': bindFields({ publisher, taskId, channelId, payer, service: 'evil.example' }),
      'another wallet': bindFields({ publisher: stranger, taskId, channelId, payer }),
      'another task': { ...bindFields({ publisher, taskId: job.executorId, channelId, payer }) },
      'another channel': {
        ...bindFields({ publisher, taskId, channelId: other.address, payer }),
        channel_id: channelId,
      },
      'of long ago': bindFields({ publisher, taskId, channelId, payer, issuedAt: old }),
      'of later': bindFields({ publisher, taskId, channelId, payer, issuedAt: early }),
      'of no day': bindFields({ publisher, taskId, channelId, payer, issuedAt: '2026-99-99T00:00:00Z' }),
      'a short signature': { ...good, signature: '1'.repeat(64) },
      'an address of another length': { ...good, payer: '2'.repeat(44) },
    }
    for (const [name, body] of Object.entries(hostile)) {
      const reply = await publisher.call('POST', path(taskId, 'channel'), body)
      expect(refusal(reply), name).toEqual([422, 'PAYOUT_PROOF_INVALID'])
    }
    expect(refusal(await stranger.call('POST', path(taskId, 'channel'), good))).toEqual([422, 'PAYOUT_PROOF_INVALID'])
    expect(refusal(await market.get(path(taskId, 'channel/public')))).toEqual([409, 'no_channel_bound'])
    expectStatus(await publisher.call('POST', path(taskId, 'channel'), good), 200)
  })

  test('is refused with the code of what is wrong', async () => {
    const job = await metered(publisher, worker)
    const { taskId } = job
    const bind = (fields: object, by = publisher) => by.call('POST', path(taskId, 'channel'), fields)
    const payer = ledgerKey()
    const nowhere = bindFields({ publisher, taskId, channelId: ledgerKey().address, payer })
    expect(refusal(await bind(nowhere))).toEqual([400, 'CHANNEL_NOT_ON_CHAIN'])
    const foreign = opened(fake, publisher, job)
    fake.kept.set(foreign.channel_id, { payer: 'another', worker: job.payout.address, deposit: 1n })
    expect(refusal(await bind(foreign))).toEqual([403, 'CHANNEL_NOT_YOURS'])
    const elsewhere = opened(fake, publisher, { ...job, payout: ledgerKey() })
    expect(refusal(await bind(elsewhere))).toEqual([409, 'CHANNEL_NOT_REUSABLE'])
    expect(refusal(await bind({ ...opened(fake, publisher, job), payee: payer.address }))).toEqual([
      422,
      'VALIDATION_FAILED',
    ])
    fake.unpayable.add(job.payout.address)
    expect(refusal(await bind(opened(fake, publisher, job)))).toEqual([409, 'WORKER_USDC_ATA_MISSING'])
    fake.unpayable.clear()
    fake.isDown = true
    const down = await bind(opened(fake, publisher, job))
    fake.isDown = false
    expect([...refusal(down), down.headers['retry-after'] !== undefined]).toEqual([
      503,
      'WORKER_USDC_ATA_UNVERIFIABLE',
      true,
    ])
    expect(
      refusal(
        await stranger.call(
          'POST',
          path(taskId, 'channel'),
          bindFields({ publisher: stranger, taskId, channelId: payer.address, payer }),
        ),
      ),
    ).toEqual([403, 'FORBIDDEN'])
    const plain = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
    const onPlain = bindFields({ publisher, taskId: plain, channelId: ledgerKey().address, payer })
    expect(refusal(await publisher.call('POST', path(plain, 'channel'), onPlain))).toEqual([422, 'VALIDATION_FAILED'])
  })

  test('before a worker with an address is known is 409 NO_PAYEE_RESOLVED', async () => {
    const task = aTask({ payment_network: 'solana', payment_streaming: perScan, bounty_usd: 1 })
    const taskId = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', task), 201).body['id'])
    const fields = opened(fake, publisher, { taskId, payout: ledgerKey() })
    expect(refusal(await publisher.call('POST', path(taskId, 'channel'), fields))).toEqual([409, 'NO_PAYEE_RESOLVED'])
  })
})

describe('a tick', () => {
  test('raises the voucher, by either alias, until the cap is reached', async () => {
    const { taskId, channelId } = await bound()
    const first = expectStatus(await tick(worker, taskId, { unit: 'scan', note: 'at the quay' }), 200)
    expect([...Compile(operations['channels.tick'].output).Errors(first.body)]).toEqual([])
    expect(first.body).toMatchObject({
      success: true,
      data: { task_id: taskId, channel_id: channelId, voucher_index: 1, amount_uusdc: 300, remaining_uusdc: 700 },
    })
    const scan = await publisher.call('POST', path(taskId, 'scan'), { evidence: { seen: 1 } })
    expect(expectStatus(scan, 200).body['data']).toMatchObject({ voucher_index: 2, cumulative_uusdc: 600 })
    expectStatus(await tick(worker, taskId), 200)
    expect(expectStatus(await tick(worker, taskId), 200).body['data']).toMatchObject({ amount_uusdc: 100 })
    expect(refusal(await tick(worker, taskId))).toEqual([422, 'SESSION_CAP_EXCEEDED'])
    const { body } = expectStatus(await worker.call('GET', path(taskId, 'channel')), 200)
    expect(body).toMatchObject({ vouchers: 4, newest_voucher: { voucher: { channelId, cumulativeAmount: '1000' } } })
  })

  test('sent again under its key is the same one, and another body under it is refused', async () => {
    const { taskId } = await bound()
    const key = { 'x-idempotency-key': 'em-tick-1' }
    const first = expectStatus(await tick(worker, taskId, {}, key), 200)
    const again = expectStatus(await tick(worker, taskId, {}, key), 200)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body['data']).toEqual({ ...(first.body['data'] as object), replayed: true })
    expect(refusal(await tick(worker, taskId, { note: 'more' }, key))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('by a stranger, of nothing, or of too much, is refused and costs nothing', async () => {
    const { taskId } = await bound()
    expect(refusal(await tick(stranger, taskId))).toEqual([403, 'FORBIDDEN'])
    const hostile: readonly object[] = [
      { evidence: {} },
      { evidence: [] },
      { evidence: 'x' },
      { evidence: { text: 'x'.repeat(5_000) } },
      { evidence: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${String(at)}`, at])) },
      { evidence: { text: '\u0000' } },
      { evidence: { deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown } },
      { unit: 'minute' },
      { unit: 'parsec' },
      { payee: ledgerKey().address },
      { payee: 'not an address' },
      { note: 'x'.repeat(501) },
      { amount_uusdc: 1_000_000 },
    ]
    for (const change of hostile) {
      const { status } = await tick(worker, taskId, change)
      expect([400, 422], JSON.stringify(change).slice(0, 80)).toContain(status)
    }
    expect((await market.get(path(taskId, 'meter'))).body).toMatchObject({ consumed_uusdc: 0, units_accepted: 0 })
  })

  test('before a channel is bound, and after it was closed, counts nothing', async () => {
    const { taskId } = await metered(publisher, worker)
    expect(refusal(await tick(worker, taskId))).toEqual([409, 'no_channel_bound'])
  })
})

describe('a meter', () => {
  test('shows everybody what was consumed, and no voucher', async () => {
    const { taskId, channelId, payout } = await bound()
    const before = expectStatus(await market.get(path(taskId, 'meter')), 200).body
    expect(before).toMatchObject({ state: 'open', consumed_usd: 0, remaining_usd: 0.001, rate_usd_per_sec: null })
    expectStatus(await tick(worker, taskId, { evidence: { secret: 'canary of a tick' }, note: 'a secret note' }), 200)
    const meter = expectStatus(await market.get(path(taskId, 'meter')), 200).body
    expect([...Compile(operations['meters.get'].output).Errors(meter)]).toEqual([])
    expect(meter).toMatchObject({
      channel_id: channelId,
      unit: 'scan',
      price_per_unit: '0.0003',
      cap_usd: 0.001,
      units_accepted: 1,
      consumed_usd: 0.0003,
      consumed_uusdc: 300,
      consumed_share: 0.3,
      remaining_usd: 0.0007,
      worker_usd: 0.000261,
      fee_usd: 0.000039,
      settled_usd: 0,
      refund_usd: null,
    })
    const { body: shown } = expectStatus(await market.get(path(taskId, 'channel/public')), 200)
    expect([...Compile(operations['meters.channel'].output).Errors(shown)]).toEqual([])
    expect(shown).toMatchObject({ channel_id: channelId, worker: payout.address, status: 'open' })
    const own = expectStatus(await worker.call('GET', path(taskId, 'channel')), 200).body
    const { signature } = own['newest_voucher'] as { readonly signature: string } // the contract's output
    for (const one of [meter, shown])
      for (const secret of [signature, 'canary of a tick', 'a secret note', 'newest_voucher'])
        expect(JSON.stringify(one)).not.toContain(secret)
  })

  test('of a time unit has a rate, and before a channel is bound it is unbound', async () => {
    const minute = { rail: 'solana_channel', unit: 'minute', price_per_unit: '0.6', cap_usd: '5' }
    const { taskId } = await metered(publisher, worker, minute)
    expect((await market.get(path(taskId, 'meter'))).body).toMatchObject({
      state: 'unbound',
      channel_id: null,
      rate_usd_per_sec: 0.01,
      remaining_usd: 5,
    })
  })

  test('of what is not metered, or not there, is 404', async () => {
    const plain = String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
    for (const taskId of [plain, '01890a5d-ac96-774b-bcce-b302099a8057'])
      for (const rest of ['meter', 'channel/public'])
        expect(refusal(await market.get(path(taskId, rest)))).toEqual([404, 'TASK_NOT_FOUND'])
  })

  test('with its vouchers is for publisher and worker alone', async () => {
    const { taskId } = await bound()
    expect(refusal(await stranger.call('GET', path(taskId, 'channel')))).toEqual([403, 'FORBIDDEN'])
    expect(refusal(await market.get(path(taskId, 'channel')))).toEqual([403, 'SIGNATURE_REQUIRED'])
    for (const one of [publisher, worker]) expectStatus(await one.call('GET', path(taskId, 'channel')), 200)
  })
})

test('the deployment says that it has channels', async () => {
  expect((await market.get('/api/v1/config')).body['features']).toMatchObject({ channels: true, meters: true })
})

describe('where no channels are kept', () => {
  let without: LiveMarket
  beforeAll(async () => {
    without = await startLiveMarket({}, market.rig, { withoutDuties: true })
  })
  afterAll(() => without[Symbol.asyncDispose]())
  const taskId = '01890a5d-ac96-774b-bcce-b302099a8057'

  test.each([
    ['POST', 'channel', 501, 'NOT_WIRED'],
    ['GET', 'channel', 501, 'NOT_WIRED'],
    ['POST', 'tick', 501, 'NOT_WIRED'],
    ['POST', 'scan', 501, 'NOT_WIRED'],
    ['GET', 'meter', 404, 'FEATURE_DISABLED'],
    ['GET', 'channel/public', 404, 'FEATURE_DISABLED'],
  ])('%s …/%s answers %i %s, signed and unsigned, whatever is sent', async (method, rest, status, code) => {
    const known = without.known(publisher)
    const body = method === 'POST' ? { any: 'thing' } : undefined
    expect(refusal(await known.call(method, path(taskId, rest), body))).toEqual([status, code])
    if (method === 'GET') expect(refusal(await without.get(path(taskId, rest)))).toEqual([status, code])
  })

  test('publishing a metered task is 501', async () => {
    const task = aTask({ payment_network: 'solana', payment_streaming: perScan, bounty_usd: 1 })
    const reply = await without.known(publisher).call('POST', '/api/v1/tasks', task)
    expect(refusal(reply)).toEqual([501, 'NOT_WIRED'])
  })
})
