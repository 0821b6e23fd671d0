import { addressKey } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createContractLanes } from '../../src/dispatch/contract-lanes.ts'
import { createKnownAgents } from '../../src/dispatch/known-agents.ts'
import { createLimits, demand, rateHeaders, refusalsOf } from '../../src/dispatch/limits.ts'
import { createRateLimiter } from '../../src/dispatch/rate-limit.ts'
import { claimOf, createRefusedSignatures } from '../../src/dispatch/refused-signatures.ts'
import { headerPairs } from '../../src/dispatch/request.ts'

const minute = 60_000

describe('a counter', () => {
  test('lets through what its limit says, then waits for the end of its window', () => {
    const limiter = createRateLimiter(2, minute)
    const taken = [0, 1_000, 2_000, minute - 1, minute].map((now) => limiter.take('ada', now))
    expect(taken).toEqual([
      { allowed: true, limit: 2, remaining: 1, resetAt: minute },
      { allowed: true, limit: 2, remaining: 0, resetAt: minute },
      { allowed: false, limit: 2, remaining: 0, resetAt: minute },
      { allowed: false, limit: 2, remaining: 0, resetAt: minute },
      { allowed: true, limit: 2, remaining: 1, resetAt: 2 * minute },
    ])
    expect(limiter.refusals()).toBe(2)
  })

  test('counts each key alone, and looks without counting', () => {
    const limiter = createRateLimiter(1, minute)
    expect([
      limiter.peek('ada', 0).allowed,
      limiter.take('ada', 0).allowed,
      limiter.peek('ada', 0).allowed,
      limiter.take('bea', 0).allowed,
    ]).toEqual([true, true, false, true])
    expect(limiter.peek('ada', minute).allowed).toBe(true)
  })

  test('without a limit lets everything through and counts nothing', () => {
    let limit = 0
    const limiter = createRateLimiter(() => limit, minute)
    for (let round = 0; round < 5; round += 1)
      expect(limiter.take('ada', 0)).toEqual({ allowed: true, limit: 0, remaining: 0, resetAt: minute })
    expect(limiter.peek('ada', 0).allowed).toBe(true)
    limit = 1
    expect([limiter.take('ada', 0).allowed, limiter.take('ada', 0).allowed]).toEqual([true, false])
  })

  test('that is full forgets who came first', () => {
    const limiter = createRateLimiter(1, minute)
    for (let index = 0; index < 50_000; index += 1) limiter.take(String(index), 0)
    expect([limiter.peek('0', 0).allowed, limiter.peek('1', 0).allowed]).toEqual([false, false])
    limiter.take('one more', 0)
    expect([limiter.peek('0', 0).allowed, limiter.peek('1', 0).allowed, limiter.peek('one more', 0).allowed]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('who comes back after a window is the newest', () => {
    const limiter = createRateLimiter(1, minute)
    limiter.take('ada', 0)
    limiter.take('bea', 0)
    limiter.take('ada', minute)
    for (let index = 0; index < 49_999; index += 1) limiter.take(String(index), minute)
    expect([limiter.peek('ada', minute).allowed, limiter.peek('0', minute).allowed]).toEqual([false, false])
  })
})

test.each([
  ['::1:2:3:4:5', '0:0:0:1'],
  ['1:2:3::4:5:6:7', '1:2:3:0'],
  ['1::', '1:0:0:0'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['2001:DB8::1', '2001:db8:0:0'],
  ['0:00a:0:1::', '0:a:0:1'],
  ['1.2.3.4', '1.2.3.4'],
])('the address %s is counted as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

describe('what an answer says about its limit', () => {
  const verdict = { allowed: true, limit: 5, remaining: 3, resetAt: 10_500 }
  test('seconds are rounded up, and never below nothing', () => {
    expect(rateHeaders(verdict, 10_000)).toEqual({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '3',
      'ratelimit-reset': '1',
    })
    expect(rateHeaders(verdict, 20_000)['ratelimit-reset']).toBe('0')
    expect([rateHeaders(null, 0), rateHeaders({ ...verdict, limit: 0 }, 0)]).toEqual([{}, {}])
  })

  test('one that is over says when to come back, a second at least', () => {
    expect(demand(verdict, 0)).toBe(verdict)
    const refused = (now: number, sec: number) => {
      expect(() => demand({ ...verdict, allowed: false, remaining: 0 }, now)).toThrow(
        expect.objectContaining({
          code: 'RATE_LIMITED',
          details: { limit: 5, remaining: 0, reset_at: '1970-01-01T00:00:10.500Z', retry_after_sec: sec },
        }),
      )
    }
    refused(8_000, 3)
    refused(10_499, 1)
    refused(20_000, 1)
  })

  test('all that was not let through is added up, and each limit is as long as it should be', () => {
    const limits = createLimits({ anonymousPerMinute: 1, walletPerMinute: 2, publishPerHour: 1 })
    for (const limiter of [limits.anonymous, limits.wallet, limits.publish, limits.provenContracts])
      for (let round = 0; round < 3; round += 1) limiter.take('a', 0)
    for (const limiter of [limits.contracts, limits.adminKeys])
      for (let round = 0; round < 11; round += 1) limiter.take('a', 0)
    expect(refusalsOf(limits)).toBe(2 + 1 + 2 + 1 + 1 + 1)
    const free = (now: number) =>
      [limits.anonymous, limits.wallet, limits.publish, limits.provenContracts, limits.contracts, limits.adminKeys].map(
        (limiter) => limiter.peek('a', now).allowed,
      )
    expect(free(minute - 1)).toEqual([false, false, false, false, false, false])
    expect(free(minute)).toEqual([true, true, false, true, true, true])
    expect(free(60 * minute)).toEqual([true, true, true, true, true, true])
  })
})

describe('signatures that were refused', () => {
  const claim = (account: string, ip = 'here') => ({ ip, account })
  const fail = (
    refused: ReturnType<typeof createRefusedSignatures>,
    account: string,
    times: number,
    ip = 'here',
  ): void => {
    for (let round = 0; round < times; round += 1) refused.failed(claim(account, ip), 0)
  }

  test('close one account at one address, and nothing else', () => {
    const refused = createRefusedSignatures(() => 3)
    fail(refused, 'ada', 2)
    expect(refused.look(claim('ada'), 0)?.allowed).toBe(true)
    fail(refused, 'ada', 1)
    expect([
      refused.look(claim('ada'), 0)?.allowed,
      refused.look(claim('bea'), 0)?.allowed,
      refused.look(claim('ada', 'there'), 0)?.allowed,
      refused.look(claim('ada'), minute)?.allowed,
    ]).toEqual([false, true, true, true])
    expect(refused.refusals()).toBe(1)
  })

  test('close an address after ten times as many, over all accounts', () => {
    const refused = createRefusedSignatures(() => 3)
    for (let index = 0; index < 29; index += 1) fail(refused, String(index), 1)
    expect(refused.look(claim('new'), 0)?.allowed).toBe(true)
    fail(refused, 'last', 1)
    expect([refused.look(claim('new'), 0)?.allowed, refused.look(claim('new', 'there'), 0)?.allowed]).toEqual([
      false,
      true,
    ])
    expect(refused.refusals()).toBe(1)
  })

  test('count not against who proved the account from there within the hour', () => {
    const refused = createRefusedSignatures(() => 1)
    refused.proved(claim('ada'), 0)
    fail(refused, 'ada', 20)
    expect([refused.look(claim('ada'), 60 * minute - 1), refused.look(claim('bea'), 0)?.allowed]).toEqual([null, true])
    expect(refused.look(claim('ada'), 60 * minute)).not.toBe(null)
    refused.failed(claim('ada'), 60 * minute)
    expect(refused.look(claim('ada'), 60 * minute)?.allowed).toBe(false)
    refused.proved(claim('ada'), 60 * minute)
    expect(refused.look(claim('ada'), 60 * minute)).toBe(null)
  })

  test('fifty thousand who proved themselves are remembered, and who did so longest ago is forgotten', () => {
    const refused = createRefusedSignatures(() => 1)
    for (let index = 0; index < 50_000; index += 1) refused.proved(claim(String(index)), 0)
    expect(refused.look(claim('0'), 0)).toBe(null)
    refused.proved(claim('0'), 0)
    refused.proved(claim('one more'), 0)
    expect(
      [refused.look(claim('0'), 0), refused.look(claim('1'), 0), refused.look(claim('2'), 0)].map(
        (verdict) => verdict === null,
      ),
    ).toEqual([true, false, true])
  })

  const account = `31337:0x${'aB'.repeat(20)}`
  test.each<[string, readonly (readonly [string, string])[], string | null]>([
    ['nothing', [['accept', 'signature']], null],
    ['a signature alone', [['Signature', 'x']], ''],
    ['an input alone', [['SIGNATURE-INPUT', 'x']], ''],
    ['an account', [['signature-input', `eth=();created=1; keyid="erc8128:${account}"`]], account.toLowerCase()],
    [
      'a header of the same length',
      [
        ['signatures-test', `;keyid="erc8128:${account}"`],
        ['sugnature', 'x'],
      ],
      null,
    ],
  ])('%s is the claim %j', (_what, headers, expected) => {
    expect(claimOf({ headers, ip: 'here' })).toEqual(expected === null ? null : { ip: 'here', account: expected })
  })
})

describe('wallets that are contracts', () => {
  const call = (address: string) => ({ chainId: 1, address, hash: '0x00', signature: '0x00' }) as const

  test('share ten questions of their address until they said yes once; then each has the limit of a wallet', async () => {
    const limits = createLimits({ anonymousPerMinute: 0, walletPerMinute: 2, publishPerHour: 0 })
    let isValid = false
    const lanes = createContractLanes({ isValidSignature: () => Promise.resolve(isValid) }, limits, () => 0)
    const ask = (address: string): boolean => lanes.mayAsk('here', { chainId: 1, address })
    expect(await lanes.contracts.isValidSignature(call('0xAA'))).toBe(false)
    expect(Array.from({ length: 11 }, () => ask('0xaa'))).toEqual([...Array.from({ length: 10 }, () => true), false])
    isValid = true
    expect(await lanes.contracts.isValidSignature(call('0xAA'))).toBe(true)
    expect([ask('0xaa'), ask('0xAA'), ask('0xaa'), ask('0xbb')]).toEqual([true, true, false, false])
    expect(lanes.mayAsk('here', { chainId: 2, address: '0xaa' })).toBe(false)
    expect(lanes.mayAsk('there', { chainId: 1, address: '0xaa' })).toBe(true)
  })
})

describe('agents that are known', () => {
  test('are asked for once, and who has no id is asked for again', async () => {
    const asked: string[] = []
    let id: number | null = null
    const agents = createKnownAgents(
      {
        knownIdentity: (wallet) => {
          asked.push(`known ${wallet}`)
          return Promise.resolve(id)
        },
        findIdentity: (wallet) => {
          asked.push(`find ${wallet}`)
          return Promise.resolve(id)
        },
      },
      true,
    )
    expect([await agents.known('ada'), await agents.demanded('ada')]).toEqual([null, null])
    id = 7
    expect([await agents.demanded('ada'), await agents.known('ada'), await agents.demanded('ada')]).toEqual([7, 7, 7])
    expect(asked).toEqual(['known ada', 'find ada', 'find ada'])
    expect(agents.isRequired).toBe(true)
  })

  test('are forgotten all together when there are twenty thousand', async () => {
    let asked = 0
    const agents = createKnownAgents(
      {
        knownIdentity: () => {
          asked += 1
          return Promise.resolve(1)
        },
        findIdentity: () => Promise.resolve(1),
      },
      false,
    )
    for (let index = 0; index < 20_000; index += 1) await agents.known(String(index))
    await agents.known('0')
    expect(asked).toBe(20_000)
    await agents.known('one more')
    await agents.known('0')
    expect(asked).toBe(20_002)
  })
})

test.each<[readonly string[], readonly (readonly [string, string])[]]>([
  [[], []],
  [
    ['a', '1', 'b', '2'],
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [['a', '1', 'b'], [['a', '1']]],
])('the list %j is the headers %j', (flat, pairs) => {
  expect(headerPairs(flat)).toEqual(pairs)
})
