import { MarketError } from '@ergon/core'
import { describe, expect, test } from 'vitest'
import type { BearerGrant } from '../../src/dispatch/bearer-grants.ts'
import { createBearers, type BearersDeps } from '../../src/dispatch/bearers.ts'
import { errorAnswer } from '../../src/dispatch/error-body.ts'
import { createLimits } from '../../src/dispatch/limits.ts'
import { ada, requestOf } from './one-call.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const resource = 'https://market.test/mcp'
const metadataUrl = 'https://market.test/.well-known/oauth-protected-resource/mcp'
const token = 'aaa.bbb-ccc_ddd~eee+fff/ggg=='

const grant: BearerGrant = {
  grantId: 'grant',
  clientId: 'client',
  wallet: `0x${'ad'.repeat(20)}`,
  account: `eip155:8453:${ada}`,
  scopes: new Set(['task:read']),
  approval: null,
  expiresAt: new Date(now + 1),
}

function openDoor(change: Partial<BearersDeps> = {}) {
  const [asked, checked, missed]: [unknown[], unknown[], unknown[]] = [[], [], []]
  const bearers = createBearers({
    grants: {
      grantOf: (...given) => {
        asked.push(given)
        return Promise.resolve(given[0] === token ? grant : undefined)
      },
      missed: (...given) => missed.push(given),
    },
    accounts: {
      check: (proven) => {
        checked.push(proven)
        return Promise.resolve()
      },
      proofOf: () => Promise.resolve(null),
    },
    limits: createLimits({ anonymousPerMinute: 2, walletPerMinute: 0, publishPerHour: 0 }),
    resource,
    metadataUrl,
    now: () => now,
    ...change,
  })
  const prove = async (...headers: (readonly [string, string])[]) => bearers.prove(requestOf({ headers }))
  const refusal = async (...headers: (readonly [string, string])[]): Promise<unknown> =>
    prove(...headers).then(
      () => null,
      (error: unknown) => (error instanceof MarketError ? [error.code, error.message, error.details] : error),
    )
  return { bearers, asked, checked, missed, prove, refusal }
}

const carrying = (text: string) => ['authorization', text] as const
const invalid = ['invalid_token', expect.any(String), {}]
const twice = ['MALFORMED_BODY', 'A request proves itself once: by a signature or a token.', {}]

describe('a token proves the wallet that consented', () => {
  test('by its grant, and nothing is consumed', async () => {
    const door = openDoor()
    const principal = await door.prove(carrying(`Bearer ${token}`))
    const consumeNonce = expect.any(Function) as () => Promise<void>
    expect(principal).toEqual({ wallet: grant.wallet, proof: 'key', via: 'bearer', grant, consumeNonce })
    expect(await principal?.consumeNonce()).toBe(undefined)
    expect(door.asked).toEqual([[token, resource]])
    expect(door.checked).toEqual([])
  })

  test.each([
    ['no header', []],
    ['another scheme', [carrying('Basic eDp5')]],
    ['a header of the same length', [['x-bearer-toks', `Bearer ${token}`]]],
    ['a header of another length', [['x-authorization', `Bearer ${token}`]]],
    ['a word that only begins so', [carrying(`Bearers ${token}`)]],
    ['a scheme that ends so', [carrying(`x Bearer ${token}`)]],
  ] as const)('%s carries none', async (_what, headers) => {
    const door = openDoor()
    expect(await door.prove(...headers)).toBe(undefined)
    expect(door.asked).toEqual([])
  })

  test.each([
    ['in capitals and with blanks around it', ['AUTHORIZATION', `  bEARER   ${token}  `]],
    ['in a header as it is usually written', ['Authorization', `Bearer ${token}`]],
  ] as const)('%s', async (_what, header) => {
    expect((await openDoor().prove(header))?.wallet).toBe(grant.wallet)
  })

  test.each([
    ['nothing', 'Bearer'],
    ['a blank', 'Bearer  '],
    ['two words', 'Bearer a b'],
    ['a sign that no token has', 'Bearer a,b'],
    ['padding alone', 'Bearer ='],
    ['padding in the middle', 'Bearer a=b'],
    ['more than 4096 characters', `Bearer ${'a'.repeat(4_097)}`],
  ])('%s is no token, and nobody is asked', async (_what, line) => {
    const door = openDoor()
    expect(await door.refusal(carrying(line))).toEqual(invalid)
    expect(door.asked).toEqual([])
  })

  test('4096 characters are one', async () => {
    const door = openDoor()
    expect(await door.refusal(carrying(`Bearer ${'a'.repeat(4_096)}`))).toEqual(invalid)
    expect(door.asked).toHaveLength(1)
  })

  test('a key of an agent is refused as one, and only where it begins so', async () => {
    const door = openDoor()
    expect((await door.refusal(carrying('Bearer svc_live_abc'))) as unknown[]).toContain('API_KEY_REFUSED')
    expect(await door.refusal(carrying('Bearer a.svc_live_abc'))).toEqual(invalid)
    expect(door.asked).toHaveLength(1)
  })

  test.each([
    ['another authorization', carrying('Basic eDp5')],
    ['the same token', carrying(`Bearer ${token}`)],
    ['a signature', ['signature', 'eth=:AA==:']],
    ['the input of a signature', ['signature-input', 'eth=()']],
  ] as const)('a token beside %s is refused', async (_what, header) => {
    const door = openDoor()
    expect(await door.refusal(carrying(`Bearer ${token}`), header)).toEqual(twice)
    expect(await door.refusal(header, carrying(`Bearer ${token}`))).toEqual(twice)
    expect(door.asked).toEqual([])
  })

  test('a grant that ends now is over, and one that ends later is not', async () => {
    const ending = (at: number): Partial<BearersDeps> => ({
      grants: { grantOf: () => Promise.resolve({ ...grant, expiresAt: new Date(at) }) },
    })
    expect(await openDoor(ending(now)).refusal(carrying(`Bearer ${token}`))).toEqual(invalid)
    expect(await openDoor(ending(now + 1)).refusal(carrying(`Bearer ${token}`))).toBe(null)
  })

  test('where nobody can tell whether it was taken back, it opens nothing', async () => {
    const door = openDoor({ grants: { grantOf: () => Promise.reject(new Error('down')) } })
    for (let round = 0; round < 4; round += 1)
      expect((await door.refusal(carrying(`Bearer ${token}`))) as unknown[]).toContain('SERVICE_BUSY')
  })
})

describe('who guesses a token', () => {
  const limited = [
    'RATE_LIMITED',
    expect.any(String),
    { limit: 2, remaining: 0, reset_at: '2026-11-21T12:01:00.000Z', retry_after_sec: 60 },
  ]

  test('is not listened to for a minute, whatever the token', async () => {
    const door = openDoor()
    expect(await door.refusal(carrying('Bearer wrong'))).toEqual(invalid)
    expect(await door.refusal(carrying('Bearer wrong'))).toEqual(invalid)
    expect(await door.refusal(carrying('Bearer wrong'))).toEqual(limited)
    expect(door.asked).toHaveLength(2)
  })

  test('spends nothing of another token', async () => {
    const door = openDoor()
    for (let round = 0; round < 3; round += 1) await door.refusal(carrying('Bearer wrong'))
    expect(await door.refusal(carrying(`Bearer ${token}`))).toBe(null)
    expect(await door.refusal(carrying('Bearer other'))).toEqual(invalid)
  })

  test('spends nothing of a token that was good a moment ago', async () => {
    const door = openDoor()
    expect(await door.refusal(carrying(`Bearer ${token}`))).toBe(null)
    for (let round = 0; round < 30; round += 1) await door.refusal(carrying(`Bearer wrong${String(round)}`))
    expect(((await door.refusal(carrying('Bearer another'))) as unknown[])[0]).toBe('RATE_LIMITED')
    expect(await door.refusal(carrying(`Bearer ${token}`))).toBe(null)
  })
})

describe('a token acts as the account that consented', () => {
  const known = (proof: 'key' | 'contract@eip155:8453' | null, account = grant.account): Partial<BearersDeps> => ({
    grants: { grantOf: () => Promise.resolve({ ...grant, account }) },
    accounts: {
      check: ({ proof: given }) =>
        given === proof ? Promise.resolve() : Promise.reject(new MarketError('ACCOUNT_PROOF_DIFFERS')),
      proofOf: (wallet) => Promise.resolve(wallet === grant.wallet ? proof : null),
    },
  })
  test.each([
    ['a key, wherever it signed', known('key'), 'key'],
    ['one that never acted', known(null), 'key'],
    ['a contract, on its own chain', known('contract@eip155:8453'), 'contract@eip155:8453'],
  ] as const)('%s', async (_what, change, proof) => {
    expect((await openDoor(change).prove(carrying(`Bearer ${token}`)))?.proof).toBe(proof)
  })
  test.each([
    ['on another chain', `eip155:1:${ada}`],
    ['on none', `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${ada}`],
  ])('a contract %s is refused', async (_what, account) => {
    const door = openDoor(known('contract@eip155:8453', account))
    expect((await door.refusal(carrying(`Bearer ${token}`))) as unknown[]).toContain('ACCOUNT_PROOF_DIFFERS')
  })
})

describe('a client that is refused learns how to get a token that would do', () => {
  const metadata = `resource_metadata="${metadataUrl}"`
  const challenge = (error: MarketError): unknown => openDoor().bearers.challenge(errorAnswer(error, 'r'))
  test.each([
    ['who sent nothing', new MarketError('UNAUTHORIZED'), `Bearer ${metadata}, scope="task:read"`],
    [
      'who sent a bad token, in the signs that a header takes',
      new MarketError('invalid_token', {}, { message: 'No "good"\\ token\n– \x7f at all~.' }),
      `Bearer error="invalid_token", error_description="No good token  at all~.", ${metadata}, scope="task:read"`,
    ],
    [
      'whose token lacks a scope',
      new MarketError('insufficient_scope', { scope: 'task:publish' }, { message: 'More.' }),
      `Bearer error="insufficient_scope", error_description="More.", ${metadata}, scope="task:publish"`,
    ],
  ])('%s', (_what, error, line) => {
    expect(challenge(error)).toEqual({ 'www-authenticate': line })
  })
  test('and nothing where a token would not help', () => {
    expect(challenge(new MarketError('FORBIDDEN'))).toEqual({})
  })
})

describe('the owner of a grant is told which scope was missed', () => {
  test('and of no other refusal', () => {
    const { bearers, missed } = openDoor()
    bearers.stepUp(grant, new MarketError('insufficient_scope', { scope: 'task:publish' }))
    bearers.stepUp(grant, new MarketError('FORBIDDEN', { scope: 'task:publish' }))
    bearers.stepUp(grant, Object.assign(new Error('no'), { code: 'insufficient_scope', details: { scope: 'x' } }))
    expect(missed).toEqual([[grant, 'task:publish']])
  })
  test('where anybody listens', () => {
    const { bearers } = openDoor({ grants: { grantOf: () => Promise.resolve(undefined) } })
    expect(bearers.stepUp(grant, new MarketError('insufficient_scope', { scope: 'task:publish' }))).toBe(undefined)
  })
})
