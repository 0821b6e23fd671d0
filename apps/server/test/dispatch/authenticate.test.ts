import { MarketError } from '@ergon/core'
import { privateKeySigner, signRequest } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createAuthenticate, type AuthenticateDeps } from '../../src/dispatch/authenticate.ts'
import { caller } from '../../src/dispatch/checks/caller.ts'
import type { CheckDeps, Passage } from '../../src/dispatch/checks/check.ts'
import type { RawRequest } from '../../src/dispatch/request.ts'
import { ada, planOf, requestOf } from './one-call.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const signer = privateKeySigner(`0x${'11'.repeat(32)}`)
const wallet = signer.address.toLowerCase()

/** A signed read, and what is sent in the place of some of its headers. */
async function signed(change: Readonly<Record<string, string | null>> = {}, at = now): Promise<RawRequest> {
  const host = 'market.test'
  const options = { signer, chainId: 31_337, now: at / 1_000, nonce: 'nonce' }
  const added = await signRequest({ method: 'GET', url: `http://${host}/things`, headers: { host } }, options)
  const headers = Object.entries({ host, ...added, ...change })
  return requestOf({ headers: headers.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])) })
}

type Given = { readonly nonces?: 'used' | 'down'; readonly deps?: Partial<AuthenticateDeps> }

function stage({ nonces, deps = {} }: Given = {}) {
  const asked: unknown[] = []
  const consumed: unknown[] = []
  const authenticate = createAuthenticate({
    policy: { authorities: ['market.test'], chains: [31_337], maxValiditySec: 300, clockSkewSec: 30 },
    nonces: {
      consume(...of) {
        consumed.push(of)
        return nonces === 'down' ? Promise.reject(new Error('down')) : Promise.resolve(nonces !== 'used')
      },
    },
    contracts: { isValidSignature: () => Promise.resolve(false) },
    mayAskContract: () => true,
    accounts: { check: (proven) => Promise.resolve(void asked.push(proven)) },
    now: () => now,
    ...deps,
  })
  return { authenticate, asked, consumed }
}
const refusal = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof MarketError ? [error.code, error.details, error.message] : error
  }
}
const invalid = (code: string, reasonCode: string, reason: RegExp | string) => [
  code,
  { reason_code: reasonCode },
  typeof reason === 'string'
    ? `The request signature is invalid: ${reason}.`
    : (expect.stringMatching(reason) as string),
]

describe('who signed a request', () => {
  test('is proven by the key of its account, which is held to how it proved itself before', async () => {
    const { authenticate, asked, consumed } = stage()
    const principal = await authenticate(await signed())
    expect(principal).toMatchObject({ wallet, proof: 'key', via: 'signature' })
    expect(asked).toEqual([{ wallet, proof: 'key' }])
    expect(consumed).toEqual([])
  })
  test('is refused, where it proved itself otherwise before', async () => {
    const check = (): Promise<void> => Promise.reject(new MarketError('ACCOUNT_PROOF_DIFFERS'))
    const { authenticate } = stage({ deps: { accounts: { check } } })
    await expect(authenticate(await signed())).rejects.toMatchObject({ code: 'ACCOUNT_PROOF_DIFFERS' })
  })
  test('spends its nonce when the call is good, and no sooner, and says until when and since when it lives', async () => {
    const { authenticate, consumed } = stage()
    const request = await signed()
    const [, created, expires] = /created=(\d+);expires=(\d+)/.exec(JSON.stringify(request.headers)) ?? []
    const principal = await authenticate(request)
    expect(consumed).toEqual([])
    await principal?.consumeNonce()
    expect(consumed).toEqual([[expect.stringContaining('nonce'), Number(expires) + 30, Number(created)]])
  })
  test.each([
    ['used', invalid('SIGNATURE_REPLAYED', 'replay', 'the nonce has been used')],
    ['down', ['nonce_store_unavailable', {}, 'nonce_store_unavailable']],
  ] as const)('is refused when the nonce is %s', async (nonces, refused) => {
    const principal = await stage({ nonces }).authenticate(await signed())
    expect(await refusal(async () => principal?.consumeNonce())).toEqual(refused)
  })

  test('is nobody, where nothing claims a signature', async () => {
    const other = [
      ['signature', null],
      ['signature-input', null],
      ['x-sized-9', 'like one'],
      ['x-of-15-letters', 'like its input'],
    ] as const
    expect(await stage().authenticate(await signed(Object.fromEntries(other)))).toBe(null)
  })
  test.each(['signature', 'signature-input'])('is never nobody with half a signature: without its %s', async (half) => {
    const { authenticate } = stage()
    const refused = await refusal(async () => authenticate(await signed({ [half]: null })))
    expect(refused).toEqual([
      'INVALID_SIGNATURE_HEADERS',
      { reason_code: expect.any(String) as string },
      expect.stringMatching(/^The request signature is invalid: .+\.$/),
    ])
  })
  test.each([
    [-400_000, 'SIGNATURE_EXPIRED', 'expired'],
    [400_000, 'SIGNATURE_EXPIRED', 'not_yet_valid'],
  ])('is refused out of its time: %d ms', async (ms, code, reasonCode) => {
    const { authenticate } = stage()
    const request = await signed({}, now + ms)
    expect(await refusal(() => authenticate(request))).toEqual(invalid(code, reasonCode, /^The request signature/))
  })
  test('is refused for another house', async () => {
    const { authenticate } = stage()
    const elsewhere = authenticate(await signed({ host: 'other.test' }))
    await expect(elsewhere).rejects.toMatchObject({ code: 'authority_not_allowed' })
  })
})

describe('a wallet that is a contract', () => {
  /** Of another key than the account it names, so that only a contract could have signed it. */
  const ofContract = async (): Promise<RawRequest> => {
    const request = await signed()
    const headers = request.headers.map(([name, value]) => [name, value.replaceAll(wallet, ada)] as const)
    return { ...request, headers: headers.map(([name, value]) => [name, value.replaceAll(signer.address, ada)]) }
  }
  test('is asked on its chain, and is an account of that chain alone', async () => {
    const { authenticate } = stage({ deps: { contracts: { isValidSignature: () => Promise.resolve(true) } } })
    expect(await authenticate(await ofContract())).toMatchObject({ wallet: ada, proof: 'contract@eip155:31337' })
  })
  test('is not asked beyond the budget of its address', async () => {
    let calls = 0
    const contracts = { isValidSignature: () => Promise.resolve((calls += 1) > 0) }
    const { authenticate } = stage({ deps: { contracts, mayAskContract: () => false } })
    const asking = authenticate(await ofContract())
    await expect(asking).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { limit: 10 } })
    expect(calls).toBe(0)
  })
  test('is refused, where it says no', async () => {
    const { authenticate } = stage()
    await expect(authenticate(await ofContract())).rejects.toMatchObject({ code: 'INVALID_SIGNATURE_HEADERS' })
  })
})

describe('who a caller is to the market', () => {
  const known = { agents: { known: () => Promise.resolve(7) } } as unknown as CheckDeps
  const principal = { wallet: ada, proof: 'key', via: 'signature', consumeNonce: () => Promise.resolve() } as const

  async function callerOf(change: Partial<Passage>, kind: Parameters<typeof planOf>[0] = 'either', access = {}) {
    const of = planOf(kind)
    const plan = { ...of, operation: { ...of.operation, access: { ...of.operation.access, ...access } } }
    const passage = { plan, request: requestOf({}), principal: null, isAdmin: false, ...change }
    await caller(known, passage as Passage)
    return (passage as Passage).caller
  }
  const itself = { kind: 'wallet', wallet: ada, agentId: null, via: 'signature', proof: 'key', from: '192.0.2.1' }
  test('itself, also beside the key of the admin', async () => {
    expect(await callerOf({ principal })).toEqual(itself)
    expect(await callerOf({ principal, isAdmin: true })).toEqual(itself)
  })
  test.each([
    ['that asks for an identity', 'either', { identity: true }, 7],
    ['of people', 'person', {}, 7],
    ['that asks for none', 'either', {}, null],
  ] as const)('under its identity in an operation %s', async (_what, kind, access, agentId) => {
    expect(await callerOf({ principal }, kind, access)).toEqual({ ...itself, agentId })
  })
  test('with what its token carries', async () => {
    const grant = { scopes: new Set() } as never
    expect(await callerOf({ principal: { ...principal, via: 'bearer', grant } })).toMatchObject({ delegation: grant })
  })
  test.each([
    ['either', true, 'admin'],
    ['either', false, 'anonymous'],
    ['admin', true, 'anonymous'],
    ['read', true, 'anonymous'],
  ] as const)('of %s, with the key of the admin %j: %s', async (kind, isAdmin, who) => {
    expect(await callerOf({ isAdmin }, kind)).toEqual({ kind: who })
  })
})
