import { randomBytes } from 'node:crypto'
import { localAddresses, localRoles } from '@ergon/contracts'
import { toChecksumAddress, transferWithAuthorizationCalldata, type Address } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc, startRig, type Rig } from '../adapters/rig.ts'
import type { Reply } from '../dispatch/send.ts'
import { startRefusingFacilitator, type RefusingFacilitator } from '../errors/refusing-facilitator.ts'
import { authorizationOf, cashOutFields, type CashOutFields, type CashOutWish } from './cash-out-fields.ts'
import {
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type LiveMarket,
  type Party,
} from './live-market.ts'
import { signedIn } from './live-people.ts'

/** What was earned is sent on without gas (decision 0249), on the real chain. */
const path = '/api/v1/account/cash-outs'
const stack = new AsyncDisposableStack()
let rig: Rig
let facilitator: RefusingFacilitator
let market: LiveMarket
let aheadMs = 0
beforeAll(async () => {
  rig = stack.use(await startRig())
  facilitator = stack.use(await startRefusingFacilitator(rig.settings.facilitatorUrl))
  market = stack.use(
    await startLiveMarket({ SVC_FACILITATOR_URL: facilitator.url, SVC_SETTLE_WAIT_MS: '1500' }, rig, {
      now: () => new Date(Date.now() + aheadMs),
    }),
  )
})
afterAll(() => stack.disposeAsync())

/** A worker who was paid 4.35 dollars, and has no gas. */
async function earner(bountyUsd = 5): Promise<Party> {
  const [publisher, worker] = [await market.party(BigInt(bountyUsd)), await market.party(0n)]
  const job = await applied(publisher, worker, { bounty_usd: bountyUsd })
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  expectStatus(
    await publisher.call(
      'POST',
      `/api/v1/submissions/${submissionId}/approve`,
      await approveFields(publisher, submissionId),
    ),
    200,
  )
  return worker
}
const anAddress = (): Address => `0x${randomBytes(20).toString('hex')}`
const post = (by: Party, fields: CashOutFields): Promise<Reply> => by.call('POST', path, fields)
const send = async (by: Party, wish: CashOutWish): Promise<Reply> => post(by, await cashOutFields(by, wish))
const ended = (by: Party, { nonce }: CashOutFields, status: string): Promise<Reply> =>
  eventually(
    () => by.call('GET', `${path}/${nonce}`),
    ({ body }) => body['status'] === status,
  )
/** The facilitator answers that it does not know, and carries nothing out. */
const unsure = <T>(during: () => Promise<T>): Promise<T> => facilitator.answering('/settle', 500, {}, during)

test('what a worker earned arrives whole where it says, and the same words again answer the same', async () => {
  const worker = await earner()
  const to = anAddress()
  const fields = await cashOutFields(worker, { to: toChecksumAddress(to), usd: 2.5 })
  const { body } = expectStatus(await post(worker, fields), 200)
  expect(body).toMatchObject({
    network: 'localnet',
    token: 'USDC',
    to,
    amount_usd: 2.5,
    nonce: fields.nonce,
    status: 'sent',
    reason: null,
  })
  expect(body['tx']).toMatch(/^0x[0-9a-f]{64}$/)
  expect([await market.balance(to), await market.balance(worker.wallet)]).toEqual([2_500_000n, 1_850_000n])
  expect(expectStatus(await post(worker, fields), 200).body).toEqual(body)
  expect(expectStatus(await worker.call('GET', `${path}/${fields.nonce}`), 200).body).toEqual(body)
  expect(await market.balance(to)).toBe(2_500_000n)
  expect(expectStatus(await worker.call('GET', path), 200).body).toMatchObject({
    cash_outs: [body],
    total: 1,
    sendable: [{ network: 'localnet', token: 'USDC', amount_usd: 1.85 }],
  })
  const person = await signedIn(market, worker)
  expect(expectStatus(await person.call('GET', `${path}?limit=3`), 200).body).toMatchObject({
    cash_outs: [body],
    sendable: [{ amount_usd: 1.85 }],
  })
  const { body: changed } = await post(worker, { ...fields, to: anAddress() })
  expect(changed.code).toBe('PAYMENT_AUTH_USED')
  expect((await market.get('/api/v1/health/payments')).body).toMatchObject({ ledger_balanced: true })
  const stranger = await market.party(0n)
  expect(expectStatus(await stranger.call('GET', `${path}/${fields.nonce}`), 404).body.code).toBe('NOT_FOUND')
})

test('an answer that is lost after the broadcast moves the money once', async () => {
  const worker = await earner()
  const to = anAddress()
  const fields = await cashOutFields(worker, { to })
  rig.facilitatorLine.mute()
  try {
    const { status, body } = await post(worker, fields)
    // On a busy machine the chain is read before the caller is answered.
    expect(['202 sending', '200 sent']).toContain(`${String(status)} ${String(body['status'])}`)
    expect([200, 202]).toContain((await post(worker, fields)).status)
  } finally {
    await rig.facilitatorLine.open()
  }
  expect((await ended(worker, fields, 'sent')).body['tx']).toMatch(/^0x[0-9a-f]{64}$/)
  expect([await market.balance(to), await market.balance(worker.wallet)]).toEqual([1_000_000n, 3_350_000n])
})

test('who carries the same authorization past us is found by its nonce, and it moves once', async () => {
  const worker = await earner()
  const to = anAddress()
  const fields = await cashOutFields(worker, { to })
  const hash = await unsure(async () => {
    expectStatus(await post(worker, fields), 202)
    return carryPastUs(worker, fields)
  })
  expect((await ended(worker, fields, 'sent')).body['tx']).toBe(hash)
  expect([await market.balance(to), await market.balance(worker.wallet)]).toEqual([1_000_000n, 3_350_000n])
  const used = await cashOutFields(worker, { to })
  await carryPastUs(worker, used)
  expect((await post(worker, used)).body.code).toBe('PAYMENT_AUTH_USED')
})

async function carryPastUs(by: Party, fields: CashOutFields): Promise<string> {
  const data = transferWithAuthorizationCalldata(authorizationOf(by.wallet, fields), fields.signature)
  const call = { from: localRoles.deployer.address, to: localAddresses.TestUSD, data, gas: '0x30000' }
  const hash = String(await rpc(rig.chain.rpcUrl, 'eth_sendTransaction', [call]))
  await eventually(
    () => rpc(rig.chain.rpcUrl, 'eth_getTransactionReceipt', [hash]),
    (receipt) => receipt !== null,
  )
  return hash
}

test('an authorization that ran out unused ends as not sent, and the money may be sent anew', async () => {
  const worker = await earner()
  const fields = await cashOutFields(worker, { to: anAddress(), usd: 4 })
  await unsure(async () => {
    expect(expectStatus(await post(worker, fields), 202).body).toMatchObject({ status: 'sending', reason: null })
    expect((await send(worker, { to: anAddress(), usd: 4 })).body.code).toBe('APPROVAL_IN_FLIGHT')
    expectStatus(await post(worker, fields), 202)
    aheadMs = 3_600_000
    await eventually(
      () => market.get('/api/v1/health/payments'),
      ({ body }) => body['in_flight'] === 0 && body['in_doubt'] === 0,
    )
    aheadMs = 0
  })
  expect((await ended(worker, fields, 'not_sent')).body).toMatchObject({ reason: 'AUTHORIZATION_EXPIRED', tx: null })
  expect((await post(worker, fields)).body.code).toBe('AUTHORIZATION_EXPIRED')
  expectStatus(await send(worker, { to: anAddress(), usd: 4 }), 200)
})

describe('what is refused costs no gas and no row', () => {
  let worker: Party
  beforeAll(async () => {
    worker = await earner()
  })

  test.each([
    ['the zero address', () => `0x${'0'.repeat(40)}`, 'FORBIDDEN_RECEIVER'],
    ['the token', () => localAddresses.TestUSD, 'FORBIDDEN_RECEIVER'],
    ['itself', () => worker.wallet, 'SELF_PAYMENT_BLOCKED'],
    ['an address with a wrong letter', () => wrongLetter(anAddress()), 'VALIDATION_FAILED'],
  ])('to %s', async (_what, to, code) => {
    expect((await send(worker, { to: to() })).body.code).toBe(code)
  })

  test('to a contract of the escrow', async () => {
    const { body } = await market.get('/api/v1/payments/networks')
    const [{ escrow }] = body['networks'] as [{ readonly escrow: Record<string, string> }] // the contract's output
    for (const to of Object.values(escrow)) expect((await send(worker, { to })).body.code).toBe('FORBIDDEN_RECEIVER')
  })

  test.each([
    ['too little', { usd: 0.99 }, 'VALIDATION_FAILED'],
    ['more than was earned', { usd: 4.36 }, 'INSUFFICIENT_FUNDS'],
    ['for an hour', { validForSec: 3_600 }, 'INVALID_PAYMENT_AUTH'],
    ['for no time', { validForSec: 5 }, 'INVALID_PAYMENT_AUTH'],
  ])('%s', async (_what, wish, code) => {
    expect((await send(worker, { to: anAddress(), ...wish })).body.code).toBe(code)
  })

  test('signed by another, or for another amount', async () => {
    const { signer } = await market.party(0n)
    expect((await send(worker, { to: anAddress(), signer })).body.code).toBe('INVALID_SIGNATURE')
    const fields = await cashOutFields(worker, { to: anAddress() })
    expect((await post(worker, { ...fields, amount_usd: 2 })).body.code).toBe('INVALID_SIGNATURE')
  })

  test('from a wallet that has money and earned none here, whatever its signature is', async () => {
    const rich = await market.party(50n)
    expect((await send(rich, { to: anAddress() })).body).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: { sendable_usdc: 0 },
    })
    expect(
      (await post(rich, { ...(await cashOutFields(rich, { to: anAddress() })), signature: '0x00' })).body.code,
    ).toBe('INSUFFICIENT_FUNDS')
  })

  test('and nothing of it was sent or kept', async () => {
    expect(await market.balance(worker.wallet)).toBe(4_350_000n)
    expect((await worker.call('GET', path)).body).toMatchObject({ total: 0 })
  })
})

test('three a day from one wallet, and three to one address', async () => {
  const [worker, other] = [await earner(), await earner()]
  const to = anAddress()
  for (let n = 0; n < 3; n += 1) expectStatus(await send(worker, { to }), 200)
  expect((await send(other, { to })).body).toMatchObject({
    code: 'RATE_LIMITED',
    details: { by: 'address', limit: 3 },
  })
  expect((await send(worker, { to: anAddress() })).body).toMatchObject({
    code: 'RATE_LIMITED',
    details: { by: 'wallet', limit: 3 },
  })
  expect(await market.balance(to)).toBe(3_000_000n)
  expectStatus(await send(other, { to: anAddress() }), 200)
})

function wrongLetter(address: Address): string {
  const right = toChecksumAddress(address)
  const at = [...right].findIndex((letter, index) => index > 1 && /[a-fA-F]/.test(letter))
  const letter = right.charAt(at)
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return `${right.slice(0, at)}${other}${right.slice(at + 1)}`
}
