import { paymentInfoToWire } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addresses,
  aPaymentInfo,
  aTransfer,
  authorizeBody,
  caip2,
  escrowRequirements,
  exactV1,
  exactV2,
  payer,
  randomHex32,
  refundBody,
  releaseBody,
  worker,
} from '../src/testing/payments.ts'
import { adminToken } from './harness-env.ts'
import { registerAgent, startRig, type Answer, type Rig } from './harness.ts'

/** What a careless client or a hostile one puts where something else belongs. */
const odd: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, 1, 1.5, 1e21, 2 ** 48, 2 ** 53],
  ...['', ' ', '0', '-1', '1.5', '00', '0x', '9'.repeat(400)],
  ...[64n, 120n, 256n].flatMap((bits) => [String(2n ** bits - 1n), String(2n ** bits)]),
  ...['a\0b', '\ud800', '😀', '€'.repeat(300), 'x'.repeat(9_000), '__proto__', 'toString'],
  ...[[], {}, [null], { a: 1 }],
  ...['release', 'exact', 'escrow', 'localnet', caip2, 'solana'],
  ...[40, 64, 130].flatMap((digits) => [`0x${'0'.repeat(digits)}`, `0x${'F'.repeat(digits)}`]),
  `0x${'ff'.repeat(96)}${'6492'.repeat(16)}`,
]

type Path = readonly string[]

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...inner.flatMap(([key, one]) => pathsOf(one, [...path, key]))]
}

function changed(value: unknown, [key, ...rest]: Path, now: unknown): unknown {
  if (key === undefined) return now
  if (Array.isArray(value)) return value.map((one: unknown, at) => (String(at) === key ? changed(one, rest, now) : one))
  // Its own fields, for the path was taken from it.
  const record = value as Readonly<Record<string, unknown>>
  return { ...record, [key]: changed(record[key], rest, now) }
}

let rig: Rig
let agentId: number
let payment: Record<string, unknown>
const info = aPaymentInfo()
beforeAll(async () => {
  rig = await startRig({ FACILITATOR_GAS_PER_DAY: 'off' })
  agentId = Number(await registerAgent(rig, worker.address))
  const { body } = await rig.post('/settle', exactV2(aTransfer()))
  expect((await rig.post('/settle', authorizeBody(info))).status).toBe(200)
  payment = {
    transactionHash: body['transaction'],
    network: 'localnet',
    payer: payer.address,
    payee: worker.address,
    token: addresses.token,
  }
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const rating = () => ({ agentId, value: 5, valueDecimals: 0, tag1: 'a', endpoint: 'e', feedbackHash: randomHex32() })
const relayed = () => ({
  network: 'localnet',
  rater: payer.address,
  feedback: rating(),
  deadline: Math.floor(Date.now() / 1000) + 600,
  nonce: randomHex32(),
  signature: `0x${'11'.repeat(65)}`,
  authorization: { chainId: 31_337, address: worker.address, nonce: 0, yParity: 0, r: randomHex32(), s: randomHex32() },
  payment,
})
const answer = () => ({
  network: 'localnet',
  agentId,
  clientAddress: payer.address,
  feedbackIndex: 1,
  responseUri: 'u',
  responseHash: randomHex32(),
  payment,
})
const registration = () => ({
  network: 'localnet',
  agentUri: `https://agents.example/${randomHex32()}`,
  metadata: [{ key: 'k', value: '0x01' }],
  recipient: worker.address,
})
const stateOf = () => ({
  paymentInfo: paymentInfoToWire(info),
  payer: info.payer,
  network: caip2,
  extra: escrowRequirements()['extra'],
})

const endpoints: readonly (readonly [what: string, path: string, body: () => object])[] = [
  ['a release', '/settle', () => releaseBody(info, 1n)],
  ['a refund', '/settle', () => refundBody(info, 1n)],
  ['requirements', '/accepts', () => ({ x402Version: 2, accepts: [{ scheme: 'escrow', network: caip2, extra: {} }] })],
  ['a question for a state', '/escrow/state', stateOf],
  ['a sweep', '/fees/distribute', () => ({ network: caip2, token: addresses.token })],
  ['a registration', '/register', registration],
  ['a rating', '/feedback', () => ({ network: 'localnet', feedback: { ...rating(), payment } })],
  ['an answer', '/feedback/response', answer],
  ['a revocation', '/feedback/revoke', () => ({ network: 'localnet', agentId, feedbackIndex: 1 })],
  [
    'a rating to sign',
    '/feedback/evm/prepare',
    () => ({ network: 'localnet', rater: payer.address, feedback: rating() }),
  ],
  ['a signed rating', '/feedback/evm/submit', relayed],
  ['an hour', '/admin/elapse', () => ({ network: 'localnet', paymentHash: randomHex32(), seconds: 5 })],
]

const headers = { authorization: `Bearer ${adminToken}` }

function isRefused({ status, body }: Answer): boolean {
  const sentence = body['error'] ?? body['errorReason'] ?? body['invalidReason']
  return status < 500 && body['isValid'] !== true && body['success'] !== true && typeof sentence === 'string'
}

test.each(endpoints)('%s with anything in it that is odd is done or refused with a sentence', async (_, path, make) => {
  const cases = pathsOf(make()).flatMap((at) => odd.map((now) => [at, now] as const))
  const wrong: string[] = []
  const ask = async ([at, now]: (typeof cases)[number]): Promise<void> => {
    const body = changed(make(), at, now)
    const said = await rig.post(path, body === undefined ? '' : JSON.stringify(body), headers)
    if (said.status !== 200 && !isRefused(said))
      wrong.push(`${at.join('.')} = ${String(JSON.stringify(now)).slice(0, 80)}: ${JSON.stringify(said)}`)
  }
  for (let at = 0; at < cases.length; at += 16) await Promise.all(cases.slice(at, at + 16).map(ask))
  expect(wrong).toEqual([])
})

const wrapped = () => {
  const { payload, paymentRequirements } = authorizeBody(aPaymentInfo({ maxAmount: 1n }))
  const accepted = { ...(paymentRequirements as object), action: 'authorize' }
  return {
    x402Version: 2,
    paymentPayload: { scheme: 'escrow', network: 'localnet', accepted, payload },
    paymentRequirements,
  }
}

test.each<readonly [what: string, make: () => object]>([
  ['a payment of version 1', () => exactV1(aTransfer({ value: 1n }))],
  ['a payment of version 2', () => exactV2(aTransfer({ value: 1n }))],
  ['a lock', () => authorizeBody(aPaymentInfo({ maxAmount: 1n }))],
  ['a wrapped lock', wrapped],
])('%s with anything in it that is odd settles exactly when verify says so', async (_, make) => {
  const wrong: string[] = []
  let settled = 0
  const ask = async (at: Path, now: unknown): Promise<void> => {
    const body = changed(make(), at, now) ?? ''
    const verdict = await rig.post('/verify', body)
    const settlement = await rig.post('/settle', body)
    const isSettled = settlement.body['success'] === true
    settled += Number(isSettled)
    const isFine = isSettled ? verdict.body['isValid'] === true : isRefused(verdict) && isRefused(settlement)
    if (!isFine)
      wrong.push(`${at.join('.')} = ${String(JSON.stringify(now)).slice(0, 80)}: ${JSON.stringify(settlement.body)}`)
  }
  for (const at of pathsOf(make())) await Promise.all(odd.map((now) => ask(at, now)))
  expect(wrong).toEqual([])
  // What is not read may be anything.
  expect(settled).toBeGreaterThan(5)
})

test('a body that is no UTF-8 is refused: another text than was sent would be written', async () => {
  const [before, after] = JSON.stringify({ ...registration(), agentUri: 'x#x' }).split('#')
  const body = Buffer.concat([Buffer.from(before ?? ''), Buffer.of(0xc3, 0x28), Buffer.from(after ?? '')])
  const response = await fetch(`${rig.url}/register`, { method: 'POST', body })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errorCode: 'invalid_payload' })
})
