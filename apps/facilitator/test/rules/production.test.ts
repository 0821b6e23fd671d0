import { localAccounts } from '@ergon/contracts'
import { generatePrivateKey } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { decideConfig, readEnv, readSecrets, refuseInProduction, StartupError } from '../../src/index.ts'

const start = (change: Readonly<Record<string, string | undefined>>): void => {
  const env = {
    DATABASE_URL: 'postgres://localhost/facilitator',
    FACILITATOR_NETWORKS: 'base',
    FACILITATOR_RPC_BASE: 'https://base.test',
    FACILITATOR_KEY: generatePrivateKey(),
    ...change,
  }
  refuseInProduction(decideConfig(readEnv(env)), readSecrets(env), env)
}

test('a start where money is real passes with keys of its own, and a development network takes any', () => {
  expect(() => {
    start({ FACILITATOR_ADMIN_TOKEN: 'an admin token of thirty-two characters' })
  }).not.toThrow()
  expect(() => {
    start({
      FACILITATOR_NETWORKS: 'localnet',
      FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:8545',
      FACILITATOR_KEY: localAccounts[1]?.privateKey,
      FACILITATOR_ADMIN_TOKEN: 'short',
    })
  }).not.toThrow()
})

test.each([
  [{ FACILITATOR_ORDER_DELEGATE: '0x1' }, 'did you mean FACILITATOR_ORDER_DELEGATES?'],
  [{ FACILITATOR_RPC_BSE: 'https://base.test' }, 'did you mean FACILITATOR_RPC_BASE?'],
  [{ FACILITATOR_SERVICE_ACCOUNT_OF_SOMETHING: '1' }, 'is none of the settings; remove it'],
  [{ FACILITATOR_KEY_FILE: '/nowhere' }, 'not both'],
  [{ FACILITATOR_NETWORKS: 'base,base' }, 'twice'],
  [{ FACILITATOR_LOG_LEVEL: 'loud' }, 'FACILITATOR_LOG_LEVEL'],
  [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL must be'],
] as const)('settings that nothing reads or that contradict each other are refused: %j', (change, named) => {
  expect(() => {
    start(change)
  }).toThrow(named)
})

test.each([
  ...localAccounts.map(({ privateKey }) => [{ FACILITATOR_KEY: privateKey }, 'published development key'] as const),
  [{ FACILITATOR_KEY: `0x${'ab'.repeat(32)}` }, 'published development key'],
  [{ FACILITATOR_ADMIN_TOKEN: 'test-admin-token' }, 'FACILITATOR_ADMIN_TOKEN'],
  [{ FACILITATOR_ADMIN_TOKEN: 'x'.repeat(64) }, 'FACILITATOR_ADMIN_TOKEN'],
  [{ FACILITATOR_FAUCET_URL: 'https://faucet.example' }, 'FACILITATOR_FAUCET_URL'],
] as const)('where money is real %j is refused by name', (change, named) => {
  expect(() => {
    start(change)
  }).toThrow(StartupError)
  expect(() => {
    start(change)
  }).toThrow(named)
})
