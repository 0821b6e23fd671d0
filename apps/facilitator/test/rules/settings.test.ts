import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { networks } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { decideConfig } from '../../src/config/config.ts'
import { readEnv } from '../../src/config/env.ts'
import type { Env } from '../../src/index.ts'
import { readSecrets } from '../../src/config/secrets.ts'
import { settings } from '../../src/config/settings-table.ts'
import { StartupError } from '../../src/errors.ts'

const good: Env = {
  DATABASE_URL: 'postgres://ergon@/ergon?host=/run/postgresql',
  FACILITATOR_NETWORKS: 'localnet',
  FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:8545',
}
const decide = (more: Env): ReturnType<typeof decideConfig> => decideConfig(readEnv({ ...good, ...more }))

const refused: readonly (readonly [Env, string])[] = [
  [{ DATABASE_URL: 'postgres://ergon:w/rd@127.0.0.1:5432/ergon' }, 'DATABASE_URL must be a postgres:// URL'],
  [{ DATABASE_URL: 'postgres://ergon@127.0.0.1:54320000/ergon' }, 'DATABASE_URL must be a postgres:// URL'],
  [{ FACILITATOR_PORT: '70000' }, 'FACILITATOR_PORT must be a whole number up to 65535'],
  [{ FACILITATOR_PORT: '0x10' }, 'FACILITATOR_PORT must be'],
  [{ FACILITATOR_SETTLE_WAIT_MS: '3000000000' }, 'FACILITATOR_SETTLE_WAIT_MS must be'],
  [{ FACILITATOR_LEASE_WAIT_MS: '3000000000' }, 'FACILITATOR_LEASE_WAIT_MS must be'],
  ...['30/0.5/9', '30', '30/', '/0.5', '0.9/1', '30/0', '-30/1', '30/1e9', '0x30/1', 'Infinity/1', '30 /1'].map(
    (limit) => [{ FACILITATOR_RATE_LIMIT: limit }, 'FACILITATOR_RATE_LIMIT must be off or burst/perSecond'] as const,
  ),
  // An empty part would read as 0, which is no limit.
  ...[
    '50',
    '50/400',
    '50//2000',
    '/400/2000',
    '50/400/',
    '//',
    '50/400/2000/1',
    '-1/0/0',
    '5e1/0/0',
    '0x5/0/0',
    '1.0000001/0/0',
  ].flatMap((limits) =>
    ['FACILITATOR_GAS_PER_DAY', 'FACILITATOR_PAYMENT_GAS_PER_DAY'].map(
      (name) => [{ [name]: limits }, `${name} must be off or wallet/client/total in millions`] as const,
    ),
  ),
  [{ FACILITATOR_RPC_TIMEOUT_MS: '0' }, 'FACILITATOR_RPC_TIMEOUT_MS must be 1 at least'],
  [{ FACILITATOR_HOST: '"127.0.0.1"' }, 'FACILITATOR_HOST has quotes around it'],
  [{ FACILITATOR_MINING: 'Off' }, 'FACILITATOR_MINING must be on or off'],
]

test.each(refused)('%o stops the start', (more, sentence) => {
  expect(() => decide(more)).toThrow(StartupError)
  expect(() => decide(more)).toThrow(sentence)
})

test.each(['0'.repeat(64), 'f'.repeat(64)])('%s is 32 bytes and no private key', (FACILITATOR_KEY) => {
  expect(() => readSecrets({ FACILITATOR_KEY })).toThrow(StartupError)
  expect(() => readSecrets({ FACILITATOR_KEY })).toThrow('set FACILITATOR_KEY or FACILITATOR_KEY_FILE')
})

test('an empty value is none: nothing listens to strangers for one', () => {
  const empty = Object.fromEntries(settings.map(({ name }) => [name, '']))
  expect(decide({ ...empty, ...good })).toEqual(decide({}))
  expect(decide({ FACILITATOR_HOST: '' })).toMatchObject({ host: '127.0.0.1', rateLimit: undefined })
})

test('all of 127.0.0.0/8 is this machine alone', () => {
  expect([decide({ FACILITATOR_HOST: '127.0.0.2' }).rateLimit, decide({ FACILITATOR_HOST: '::1' }).rateLimit]).toEqual([
    undefined,
    undefined,
  ])
  expect(decide({ FACILITATOR_HOST: '0.0.0.0' }).rateLimit).toMatchObject({ payments: { burst: 30 } })
})

describe('limits', () => {
  const real = { FACILITATOR_NETWORKS: 'localnet,base', FACILITATOR_RPC_BASE: 'http://127.0.0.1:8546' }
  const outside = { FACILITATOR_HOST: '0.0.0.0' }

  test('of requests are a burst and a pace, a sixth of it for identities, and one at least', () => {
    expect(decide({ ...outside }).rateLimit).toEqual({
      payments: { burst: 30, perSecond: 0.5 },
      identity: { burst: 5, perSecond: 5 / 60 },
    })
    expect(decide({ FACILITATOR_RATE_LIMIT: '60/3' }).rateLimit).toEqual({
      payments: { burst: 60, perSecond: 3 },
      identity: { burst: 10, perSecond: 0.5 },
    })
    expect(decide({ FACILITATOR_RATE_LIMIT: '1/0.6' }).rateLimit?.identity).toEqual({ burst: 1, perSecond: 0.6 / 6 })
    expect(decide({ ...outside, FACILITATOR_RATE_LIMIT: 'off' }).rateLimit).toBeUndefined()
  })

  test('of gas are in millions, none for a caller on this machine, and off where they are off', () => {
    const million = 1_000_000
    expect(decide({}).gas).toEqual({ wallet: 50 * million, client: 0, total: 2_000 * million })
    expect(decide(outside).gas).toEqual({ wallet: 50 * million, client: 400 * million, total: 2_000 * million })
    expect(decide({ FACILITATOR_GAS_PER_DAY: '0.000001/1.5/0' }).gas).toEqual({
      wallet: 1,
      client: 1.5 * million,
      total: 0,
    })
    expect(decide({ FACILITATOR_GAS_PER_DAY: 'off' }).gas).toBeUndefined()
  })

  test('of the gas of payments are there where gas is worth something', () => {
    const million = 1_000_000
    expect(decide({}).paymentGas).toBeUndefined()
    expect(decide(real).paymentGas).toEqual({ wallet: 200 * million, client: 0, total: 20_000 * million })
    expect(decide({ ...real, ...outside }).paymentGas?.client).toBe(2_000 * million)
    expect(decide({ FACILITATOR_PAYMENT_GAS_PER_DAY: '1/2/3' }).paymentGas).toMatchObject({ client: 2 * million })
  })

  test('of a payment are a thousandth where money is real, and none on a local chain', () => {
    expect([decide({}).smallestMillionths, decide(real).smallestMillionths]).toEqual([0n, 1_000n])
    expect(decide({ FACILITATOR_SMALLEST_PAYMENT: '0.000001' }).smallestMillionths).toBe(1n)
    expect(() => decide({ FACILITATOR_SMALLEST_PAYMENT: '0.0000001' })).toThrow('at most 6 decimals')
    expect(() => decide({ FACILITATOR_SMALLEST_PAYMENT: '-1' })).toThrow('FACILITATOR_SMALLEST_PAYMENT must be')
  })

  test('of what is paid for gas are in gwei, zero is none, and the alarm is in coins', () => {
    expect(decide({}).gasTerms).toEqual({ highestFee: undefined, alarmBelow: 2_000_000_000_000_000n })
    expect(decide({ FACILITATOR_HIGHEST_FEE_GWEI: '0' }).gasTerms.highestFee).toBeUndefined()
    expect(decide({ FACILITATOR_HIGHEST_FEE_GWEI: '0.000000001' }).gasTerms.highestFee).toBe(1n)
    expect(decide({ FACILITATOR_GAS_ALARM: '1' }).gasTerms.alarmBelow).toBe(10n ** 18n)
    expect(() => decide({ FACILITATOR_HIGHEST_FEE_GWEI: '1.' })).toThrow(
      'FACILITATOR_HIGHEST_FEE_GWEI must be a number',
    )
    expect(() => decide({ FACILITATOR_GAS_ALARM: '.1' })).toThrow('FACILITATOR_GAS_ALARM must be a number')
    expect(() => decide({ FACILITATOR_GAS_ALARM: '1'.repeat(13) })).toThrow('FACILITATOR_GAS_ALARM must be a number')
  })

  test('of time are whole milliseconds up to an hour, and each has its default', () => {
    expect(decide({})).toMatchObject({
      port: 4021,
      settleWaitMs: 30_000,
      rpcTimeoutMs: 10_000,
      leaseWaitMs: 10_000,
      databaseWaitMs: 60_000,
      shedAboveMs: 1_000,
    })
    const names = ['SETTLE_WAIT', 'RPC_TIMEOUT', 'LEASE_WAIT', 'DATABASE_WAIT', 'SHED_ABOVE']
    for (const name of names.map((one) => `FACILITATOR_${one}_MS`)) {
      expect(() => decide({ [name]: '3600000' })).not.toThrow()
      for (const bad of ['3600001', '1.5', '-1', '1e3'])
        expect(() => decide({ [name]: bad })).toThrow(`${name} must be a whole number up to 3600000`)
    }
    expect(decide({ FACILITATOR_RPC_TIMEOUT_MS: '1', FACILITATOR_SHED_ABOVE_MS: '0' })).toMatchObject({
      rpcTimeoutMs: 1,
      shedAboveMs: 0,
    })
    expect([decide({ FACILITATOR_PORT: '65535' }).port, decide({ FACILITATOR_PORT: '0' }).port]).toEqual([65_535, 0])
    expect(() => decide({ FACILITATOR_PORT: '65536' })).toThrow('FACILITATOR_PORT must be a whole number up to 65535')
  })
})

describe('networks', () => {
  const rows = (...all: readonly object[]): string => rowsOf(all)
  const urls = 'http://127.0.0.1:1, http://127.0.0.1:2'
  const own = { ...networks.localnet, name: 'own-net', caip2: 'eip155:777', chainId: 777 }

  test('are named once each, by either name, with their nodes in order', () => {
    const { networks: served } = decide({
      FACILITATOR_NETWORKS: ' localnet, eip155:84532 ,',
      FACILITATOR_RPC_BASE_SEPOLIA: urls,
    })
    expect(served.map(({ row, rpcUrls }) => [row.name, rpcUrls])).toEqual([
      ['localnet', ['http://127.0.0.1:8545']],
      ['base-sepolia', ['http://127.0.0.1:1', 'http://127.0.0.1:2']],
    ])
  })

  test('of a file come before those that are known, with nodes of their own', () => {
    const FACILITATOR_NETWORKS_FILE = rows({ ...own, rpcUrls: ['http://127.0.0.1:9'] })
    const byName = decide({ FACILITATOR_NETWORKS: 'own-net', FACILITATOR_NETWORKS_FILE, FACILITATOR_RPC_LOCALNET: '' })
    expect(byName.networks.map(({ row, rpcUrls }) => [row.chainId, rpcUrls])).toEqual([[777, ['http://127.0.0.1:9']]])
    const set = { FACILITATOR_NETWORKS: 'eip155:777', FACILITATOR_NETWORKS_FILE, FACILITATOR_RPC_OWN_NET: urls }
    expect(decide(set).networks[0]?.rpcUrls).toHaveLength(2)
    const other = rows({ ...networks.localnet, title: 'Mine' })
    expect(decide({ FACILITATOR_NETWORKS_FILE: other }).networks[0]?.row.title).toBe('Mine')
    const known = { FACILITATOR_NETWORKS: 'base-sepolia,own-net', FACILITATOR_RPC_BASE_SEPOLIA: urls }
    const { networks: two } = decide({ ...known, FACILITATOR_NETWORKS_FILE, FACILITATOR_RPC_LOCALNET: '' })
    expect(two.map(({ row }) => row.chainId)).toEqual([84_532, 777])
  })

  test.each<readonly [change: () => Env, sentence: string]>([
    [() => ({ FACILITATOR_NETWORKS: ',' }), 'set FACILITATOR_NETWORKS to the networks to serve, separated by commas'],
    [() => ({ FACILITATOR_NETWORKS: 'localnet,localnet' }), 'FACILITATOR_NETWORKS names a network twice'],
    [() => ({ FACILITATOR_NETWORKS: 'localnet,atlantis' }), 'FACILITATOR_NETWORKS names atlantis, which has no row'],
    [() => ({ FACILITATOR_NETWORKS: 'toString' }), 'FACILITATOR_NETWORKS names toString, which has no row'],
    [
      () => ({ FACILITATOR_NETWORKS: 'base-sepolia' }),
      'set FACILITATOR_RPC_BASE_SEPOLIA to the URL of a node of base-sepolia, or several',
    ],
    [
      () => ({ FACILITATOR_RPC_LOCALNET: 'ftp://node' }),
      'set FACILITATOR_RPC_LOCALNET to the URL of a node of localnet',
    ],
    [() => ({ FACILITATOR_NETWORKS_FILE: '/nowhere' }), 'FACILITATOR_NETWORKS_FILE cannot be read: '],
    [() => ({ FACILITATOR_NETWORKS_FILE: rows({}) }), 'FACILITATOR_NETWORKS_FILE: '],
    [
      () => ({ FACILITATOR_NETWORKS_FILE: rows({ ...own, rpcUrls: [5] }) }),
      'the network row own-net has rpcUrls that are no list of URLs',
    ],
    [
      () => ({ FACILITATOR_NETWORKS_FILE: rows({ ...own, rpcUrls: 'http://a' }) }),
      'the network row own-net has rpcUrls that are no list of URLs',
    ],
    [() => ({ FACILITATOR_RPC_LOCALNT: urls }), 'FACILITATOR_RPC_LOCALNT'],
    [() => ({ FACILITATOR_LIFECYCLE_MODE: 'Off' }), 'FACILITATOR_LIFECYCLE_MODE must be enforce, log or off'],
    [
      () => ({ FACILITATOR_ORDER_DELEGATES: '0x1' }),
      'FACILITATOR_ORDER_DELEGATES must be addresses separated by commas',
    ],
    [
      () => ({ FACILITATOR_WALLET_FACTORIES: 'none' }),
      'FACILITATOR_WALLET_FACTORIES must be addresses separated by commas',
    ],
    [() => ({ FACILITATOR_BLACKLIST_FILE: '/nowhere' }), 'FACILITATOR_BLACKLIST_FILE cannot be read: '],
    [() => ({ FACILITATOR_BLACKLIST_FILE: rowsOf({}) }), 'FACILITATOR_BLACKLIST_FILE must hold a JSON list'],
    [() => ({ FACILITATOR_LOG_LEVEL: 'loud' }), 'FACILITATOR_LOG_LEVEL'],
    [() => ({ FACILITATOR_METRICS_PORT: '99999' }), 'FACILITATOR_METRICS_PORT'],
  ])('%# of settings that mean nothing stops the start: $1', (change, sentence) => {
    expect(() => decide(change())).toThrow(StartupError)
    expect(() => decide(change())).toThrow(sentence)
  })

  test('are ordered for by delegates, and put wallets up by factories, in small letters', () => {
    const two = '0xAbCdEf0123456789aBcDeF0123456789abcdef01, 0xAbCdEf0123456789aBcDeF0123456789abcdef02'
    const small = two.toLowerCase().split(', ')
    expect(decide({ FACILITATOR_ORDER_DELEGATES: two, FACILITATOR_WALLET_FACTORIES: two })).toMatchObject({
      orderDelegates: small,
      walletFactories: small,
    })
    expect(decide({})).toMatchObject({
      orderDelegates: [],
      walletFactories: [],
      blacklist: [],
      lifecycleMode: 'enforce',
    })
    for (const mode of ['enforce', 'log', 'off'])
      expect(decide({ FACILITATOR_LIFECYCLE_MODE: mode }).lifecycleMode).toBe(mode)
  })
})

function rowsOf(value: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'facilitator-settings-')), 'rows.json')
  writeFileSync(file, JSON.stringify(value))
  return file
}

test('what may be set is', () => {
  expect(decide({ FACILITATOR_MINING: 'on', FACILITATOR_RATE_LIMIT: '30/0.5' })).toMatchObject({ minesOnDemand: true })
  expect(decide({ FACILITATOR_MINING: 'off', FACILITATOR_SETTLE_WAIT_MS: '60000' })).toMatchObject({
    minesOnDemand: false,
    settleWaitMs: 60_000,
  })
})

const blocking = (...entries: readonly unknown[]): ReturnType<typeof decideConfig> =>
  decide({ FACILITATOR_BLACKLIST_FILE: rowsOf(entries) })

test('a list of wallets that are refused takes addresses of either kind', () => {
  const wallet = '0xAbCdEf0123456789aBcDeF0123456789abcdef01'
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const rows = [{ wallet }, { account_type: 'solana', wallet: mint, reason: 'asked to' }]
  expect(blocking(...rows).blacklist).toEqual([
    { account_type: 'evm', wallet, reason: '' },
    { account_type: 'solana', wallet: mint, reason: 'asked to' },
  ])
})

test.each([
  ['without its prefix', 'abcdef0123456789abcdef0123456789abcdef01'],
  ['with a space', ' 0xabcdef0123456789abcdef0123456789abcdef01'],
  ['with a digit too few', '0xabcdef0123456789abcdef0123456789abcdef0'],
  ['as a name', 'mallory.eth'],
  ['as nothing', ''],
  ['as a number', 5],
])('a wallet that is to be refused and is written %s stops the start: nobody would be refused', (_, wallet) => {
  const sentence = 'FACILITATOR_BLACKLIST_FILE has an entry whose wallet is no address'
  expect(() => blocking({ account_type: 'evm', wallet })).toThrow(sentence)
  expect(() => blocking(null)).toThrow(sentence)
})
