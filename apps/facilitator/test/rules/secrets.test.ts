import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAccounts } from '@ergon/contracts'
import { fromBase58, generatePrivateKey, toBase58 } from '@ergon/protocols'
import { localKeys } from '@ergon/solana-ledger'
import { describe, expect, test } from 'vitest'
import { realNetworkOf } from '../../src/config/production.ts'
import { decideConfig, readEnv, readSecrets, refuseInProduction, StartupError, type Env } from '../../src/index.ts'
import { feePayer, keyOf, worker } from '../solana-keys.ts'

const genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const key = generatePrivateKey()
const solana: Env = {
  DATABASE_URL: 'postgres://localhost/facilitator',
  FACILITATOR_NETWORKS: 'solana',
  FACILITATOR_RPC_SOLANA: 'http://127.0.0.1:1',
  FACILITATOR_KEY: key,
  FACILITATOR_SOLANA_KEY: toBase58(feePayer.seed),
  FACILITATOR_SOLANA_GENESIS: genesis,
  FACILITATOR_SOLANA_MINT: keyOf(90).address,
}
const decide = (change: Env = {}) => decideConfig(readEnv({ ...solana, ...change }))
const main: Env = { FACILITATOR_SOLANA_GENESIS: '', FACILITATOR_SOLANA_MINT: '' }

describe('settings of Solana', () => {
  test('have defaults, which are none of the money of another cluster', () => {
    expect(decide().networks).toEqual([])
    expect(decide().solana).toMatchObject({
      row: { name: 'solana', testnet: true },
      rpcUrls: ['http://127.0.0.1:1'],
      witnesses: 1,
      mostPriority: 50_000n,
      perDay: { wallet: 25_000_000, client: 0, total: 2_500_000_000 },
      alarmBelow: 100_000_000n,
      smallest: 0n,
    })
    expect(decide(main).solana).toMatchObject({ row: { testnet: false }, smallest: 1_000n })
    expect(decide({ FACILITATOR_HOST: '0.0.0.0' }).solana?.perDay?.client).toBe(250_000_000)
  })

  test('are taken as they are set', () => {
    const two = 'http://127.0.0.1:1,http://127.0.0.1:2'
    const change = {
      FACILITATOR_NETWORKS: `localnet,solana:${genesis.slice(0, 32)}`,
      FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:3',
      FACILITATOR_RPC_SOLANA: two,
      FACILITATOR_SOLANA_WITNESSES: '2',
      FACILITATOR_SOLANA_PRIORITY: '0.000000001',
      FACILITATOR_SOL_PER_DAY: '0.000000001/0/1',
      FACILITATOR_SOL_ALARM: '0',
      FACILITATOR_SMALLEST_PAYMENT: '0.5',
    }
    const config = decide(change)
    expect(config.networks.map(({ row }) => row.name)).toEqual(['localnet'])
    expect(config.solana).toMatchObject({
      rpcUrls: two.split(','),
      witnesses: 2,
      mostPriority: 1n,
      perDay: { wallet: 1, client: 0, total: 1_000_000_000 },
      alarmBelow: 0n,
      smallest: 500_000n,
    })
    expect(decide({ FACILITATOR_SOL_PER_DAY: 'off' }).solana?.perDay).toBeUndefined()
    const none = { FACILITATOR_NETWORKS: 'localnet', FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:3' }
    expect(decideConfig(readEnv({ ...none, DATABASE_URL: 'postgres://localhost/f' }))).not.toHaveProperty('solana')
  })

  const witnesses = 'FACILITATOR_SOLANA_WITNESSES must be at least 1 and at most the number of nodes'
  const perDay = 'FACILITATOR_SOL_PER_DAY must be off or wallet/client/total in SOL'
  const once = `FACILITATOR_NETWORKS must name Solana once, as solana or as solana:${genesis.slice(0, 32)}`
  test.each<readonly [change: Env, sentence: string]>([
    [{ FACILITATOR_SOLANA_MINT: '' }, 'set both FACILITATOR_SOLANA_GENESIS and FACILITATOR_SOLANA_MINT, or neither'],
    [{ FACILITATOR_SOLANA_GENESIS: '' }, 'set both FACILITATOR_SOLANA_GENESIS and FACILITATOR_SOLANA_MINT, or neither'],
    [{ FACILITATOR_SOLANA_GENESIS: 'x' }, 'FACILITATOR_SOLANA_GENESIS: '],
    [{ FACILITATOR_RPC_SOLANA: '' }, 'set FACILITATOR_RPC_SOLANA to the URL of a node of Solana, or several'],
    [{ FACILITATOR_RPC_SOLANA: 'ftp://node' }, 'set FACILITATOR_RPC_SOLANA to the URL of a node of Solana, or several'],
    [{ FACILITATOR_NETWORKS: `solana,solana:${genesis.slice(0, 32)}` }, once],
    [{ FACILITATOR_NETWORKS: 'solana:mainnet' }, once],
    [
      { FACILITATOR_NETWORKS: 'localnet', FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:1' },
      'settings of Solana are there, and FACILITATOR_NETWORKS does not name solana',
    ],
    ...['0', '2', '1.5', 'one', '-1'].map((one) => [{ FACILITATOR_SOLANA_WITNESSES: one }, witnesses] as const),
    ...['1', '1//1', '1/1/1/1', '-1/0/0', '0.0000000001/0/0'].map(
      (one) => [{ FACILITATOR_SOL_PER_DAY: one }, perDay] as const,
    ),
    [{ FACILITATOR_SOLANA_PRIORITY: '1e-5' }, 'FACILITATOR_SOLANA_PRIORITY must be a number with at most 9 decimals'],
    [{ FACILITATOR_SOL_ALARM: '0.0000000001' }, 'FACILITATOR_SOL_ALARM must be a number with at most 9 decimals'],
    [{ FACILITATOR_SMALLEST_PAYMENT: 'x' }, 'FACILITATOR_SMALLEST_PAYMENT must be a number with at most 6 decimals'],
  ])('that contradict each other or mean nothing stop the start: %j', (change, sentence) => {
    expect(() => decide(change)).toThrow(StartupError)
    expect(() => decide(change)).toThrow(sentence)
  })
})

describe('the key that pays on Solana', () => {
  const seedOf = (text: string) => readSecrets({ ...solana, FACILITATOR_SOLANA_KEY: text }).solanaSeed
  const whole = Buffer.concat([feePayer.seed, fromBase58(feePayer.address)])

  test('is taken in each form that tools of Solana write, and may be none', () => {
    for (const text of [
      toBase58(feePayer.seed),
      toBase58(whole),
      JSON.stringify([...whole]),
      `[${feePayer.seed.join(' , ')}]`,
    ])
      expect(seedOf(text)).toEqual(feePayer.seed)
    expect(seedOf(JSON.stringify(new Array<number>(32).fill(255)))).toEqual(new Uint8Array(32).fill(255))
    expect(seedOf('')).toBeUndefined()
  })

  const mixed = Buffer.concat([feePayer.seed, fromBase58(worker.address)])
  test.each([
    ['a word', 'zero'],
    ["another key's second half", toBase58(mixed)],
    ['a byte too few', toBase58(feePayer.seed.subarray(1))],
    ['a byte too many', toBase58(Buffer.concat([feePayer.seed, Buffer.of(1)]))],
    ['two numbers', '[1,2]'],
    ['a list that does not end', '[1,2'],
    ['a number above a byte', JSON.stringify([...feePayer.seed.subarray(1), 256])],
    ['a number below a byte', JSON.stringify([...feePayer.seed.subarray(1), -1])],
    ['a part of a number', JSON.stringify([...feePayer.seed.subarray(1), 0.5])],
    ['a text of a number', JSON.stringify([...feePayer.seed.subarray(1), '5'])],
  ])('is not %s', (_, text) => {
    const sentence = 'FACILITATOR_SOLANA_KEY must be a key of Solana: 32 or 64 bytes in base58, or their list'
    expect(() => seedOf(text)).toThrow(StartupError)
    expect(() => seedOf(text)).toThrow(sentence)
  })
})

describe('secrets', () => {
  const kept = (text: string, mode = 0o600): string => {
    const folder = mkdtempSync(join(tmpdir(), 'facilitator-secrets-'))
    chmodSync(folder, 0o755)
    const file = join(folder, 'secret')
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  }
  const bytes = Buffer.from(key.slice(2), 'hex')

  test('are read from the environment or a file, the key with its prefix or without', () => {
    expect(readSecrets({ FACILITATOR_KEY: key })).toEqual({
      privateKey: new Uint8Array(bytes),
      adminToken: undefined,
      metricsToken: undefined,
      solanaSeed: undefined,
      warnings: [],
    })
    expect(readSecrets({ FACILITATOR_KEY: key.slice(2) }).privateKey).toEqual(new Uint8Array(bytes))
    const FACILITATOR_KEY_FILE = kept(`${key}\n`, 0o644)
    const read = readSecrets({ FACILITATOR_KEY_FILE, FACILITATOR_ADMIN_TOKEN: 'token' })
    expect(read).toMatchObject({ privateKey: new Uint8Array(bytes), adminToken: 'token' })
    expect(read.warnings).toEqual([expect.stringContaining('FACILITATOR_KEY_FILE')])
  })

  const noKey = 'set FACILITATOR_KEY or FACILITATOR_KEY_FILE to a private key of 32 bytes in hex'
  test.each<readonly [env: () => Env, sentence: string]>([
    [() => ({}), noKey],
    [() => ({ FACILITATOR_KEY: key.slice(0, -2) }), noKey],
    [() => ({ FACILITATOR_KEY: `${key}00` }), noKey],
    [() => ({ FACILITATOR_KEY: 'x'.repeat(64) }), noKey],
    [
      () => ({ FACILITATOR_KEY: key, FACILITATOR_KEY_FILE: '/nowhere' }),
      'set FACILITATOR_KEY or FACILITATOR_KEY_FILE, not both',
    ],
    [
      () => ({ FACILITATOR_KEY: key, FACILITATOR_SOLANA_KEY: 'x', FACILITATOR_SOLANA_KEY_FILE: '/nowhere' }),
      'not both',
    ],
    [
      () => ({ FACILITATOR_KEY: key, FACILITATOR_ADMIN_TOKEN_FILE: '/nowhere' }),
      'FACILITATOR_ADMIN_TOKEN_FILE cannot be read: ',
    ],
    [
      () => ({ FACILITATOR_KEY: key, FACILITATOR_METRICS_TOKEN: 't'.repeat(32) }),
      'FACILITATOR_METRICS_TOKEN is set and FACILITATOR_METRICS_PORT is not',
    ],
  ])('%# that are none stop the start', (env, sentence) => {
    expect(() => readSecrets(env())).toThrow(StartupError)
    expect(() => readSecrets(env())).toThrow(sentence)
  })

  test('of the figures are needed where others reach them', () => {
    const metrics = { host: '0.0.0.0', port: 9_000 }
    const FACILITATOR_METRICS_TOKEN = 'a token of thirty-two characters'.replaceAll(' ', '-')
    expect(readSecrets({ FACILITATOR_KEY: key, FACILITATOR_METRICS_TOKEN }, metrics).metricsToken).toBe(
      FACILITATOR_METRICS_TOKEN,
    )
    expect(() => readSecrets({ FACILITATOR_KEY: key }, metrics)).toThrow(
      'FACILITATOR_METRICS_HOST is not this machine alone',
    )
  })
})

describe('where money is real', () => {
  const start = (change: Env): void => {
    const env = { ...solana, FACILITATOR_KEY: key, ...change }
    refuseInProduction(decideConfig(readEnv(env)), readSecrets(env), env)
  }
  const published = localAccounts[0]?.privateKey

  test('is told by the first network that is no test, on Solana as well', () => {
    expect(realNetworkOf(decide())).toBeUndefined()
    expect(realNetworkOf(decide(main))).toBe('solana')
    const both = {
      FACILITATOR_NETWORKS: 'localnet,base,solana',
      FACILITATOR_RPC_LOCALNET: 'http://a',
      FACILITATOR_RPC_BASE: 'http://b',
    }
    expect(realNetworkOf(decide({ ...main, ...both }))).toBe('base')
  })

  test.each<readonly [change: Env, sentence: string]>([
    [{ FACILITATOR_KEY: published }, 'FACILITATOR_KEY is a published development key and solana is a real network'],
    [
      { FACILITATOR_SOLANA_KEY: toBase58(localKeys.operator.seed) },
      'FACILITATOR_SOLANA_KEY is the embedded ledger’s and public; make one of your own',
    ],
    [
      { FACILITATOR_ADMIN_TOKEN: 'short' },
      'FACILITATOR_ADMIN_TOKEN must be at least 32 random characters where solana is served',
    ],
    [{ SVC_FAUCET: 'on' }, 'SVC_FAUCET is for development and solana is a real network'],
  ])('%j stops the start, and a test takes it', (change, sentence) => {
    expect(() => {
      start({ ...main, ...change })
    }).toThrow(StartupError)
    expect(() => {
      start({ ...main, ...change })
    }).toThrow(sentence)
    expect(() => {
      start(change)
    }).not.toThrow()
  })

  test('what is empty is not set, and keys of one’s own pay', () => {
    expect(() => {
      start({ ...main, SVC_FAUCET: '', FACILITATOR_ADMIN_TOKEN: 'an admin token of thirty-two characters' })
    }).not.toThrow()
  })

  test('on an EVM network alone, a public key of a test cluster of Solana is no matter', () => {
    const base = { FACILITATOR_NETWORKS: 'base,solana', FACILITATOR_RPC_BASE: 'https://base.test' }
    expect(() => {
      start({ ...base, FACILITATOR_SOLANA_KEY: toBase58(localKeys.operator.seed) })
    }).not.toThrow()
  })
})
