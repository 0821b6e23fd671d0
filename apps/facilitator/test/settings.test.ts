import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decideConfig } from '../src/config/config.ts'
import { readEnv } from '../src/config/env.ts'
import type { Env } from '../src/index.ts'
import { readSecrets } from '../src/config/secrets.ts'
import { settings } from '../src/config/settings-table.ts'
import { StartupError } from '../src/errors.ts'

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

test('what may be set is', () => {
  expect(decide({ FACILITATOR_MINING: 'on', FACILITATOR_RATE_LIMIT: '30/0.5' })).toMatchObject({ minesOnDemand: true })
  expect(decide({ FACILITATOR_MINING: 'off', FACILITATOR_SETTLE_WAIT_MS: '60000' })).toMatchObject({
    minesOnDemand: false,
    settleWaitMs: 60_000,
  })
})

const blocking = (...entries: readonly unknown[]): ReturnType<typeof decideConfig> => {
  const file = join(mkdtempSync(join(tmpdir(), 'facilitator-settings-')), 'blacklist.json')
  writeFileSync(file, JSON.stringify(entries))
  return decide({ FACILITATOR_BLACKLIST_FILE: file })
}

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
