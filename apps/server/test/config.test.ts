import { localAccounts } from '@ergon/contracts'
import { ed25519KeyOf, generatePrivateKey, networks } from '@ergon/protocols'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, settings, type Env } from '../src/index.ts'
import { decide, good } from './config-env.ts'

const bucket: Env = {
  SVC_S3_ENDPOINT: 'https://store.test/',
  SVC_S3_BUCKET: 'evidence',
  SVC_S3_ACCESS_KEY: 'access',
  SVC_S3_SECRET_KEY: 'the secret of the bucket',
}
test('networks are served by rows of a file too, which replace those of the table', () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-rows-'))
  const file = join(folder, 'rows.json')
  const rows = (...given: readonly object[]): Env => {
    writeFileSync(file, JSON.stringify(given))
    return { ...good, SVC_NETWORKS_FILE: file }
  }
  try {
    const own = { ...networks.localnet, name: 'my-chain', title: 'Mine' }
    const env = rows(own, { ...networks.localnet, title: 'Replaced' })
    const { config } = decide({ ...env, SVC_NETWORKS: 'my-chain,localnet', SVC_RPC_MY_CHAIN: 'http://127.0.0.1:1' })
    expect(config.networks.map(({ network }) => network.title)).toEqual(['Mine', 'Replaced'])
    expect(() => decide(rows({ ...own, tokens: {} }))).toThrow(/SVC_NETWORKS_FILE: the network row my-chain needs/)
    writeFileSync(file, `\ufeff${JSON.stringify([own])}\r\n`)
    expect(
      decide({ ...env, SVC_NETWORKS: 'my-chain', SVC_RPC_MY_CHAIN: 'http://127.0.0.1:1' }).config.networks,
    ).toHaveLength(1)
    writeFileSync(file, '[')
    expect(() => decide({ ...good, SVC_NETWORKS_FILE: file })).toThrow(
      'SVC_NETWORKS_FILE cannot be read: it is no JSON',
    )
    const none = { ...good, SVC_NETWORKS_FILE: join(folder, 'none') }
    expect(() => decide(none)).toThrow(new ConfigError('SVC_NETWORKS_FILE cannot be read: there is no such file'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an IPv6 address to listen on is an address for callers too', () => {
  const { config } = decide({ ...good, SVC_HOST: '::1' })
  expect(config.baseUrl).toBe('http://[::1]:4020')
  expect(config.authorities).toContain('[::1]:4020')
})

test('a database behind a socket has no host', () => {
  const socket = 'postgres://ergon@/ergon?host=/run/postgresql'
  expect(decide({ ...good, DATABASE_URL: socket }).config.databaseUrl).toBe(socket)
})

test('the required settings are enough; the rest has safe defaults', () => {
  const { config } = decide(good)
  expect(config).toMatchObject({
    host: '127.0.0.1',
    paymentMode: 'fase2',
    identityNetwork: 'localnet',
    facilitatorUrl: 'http://127.0.0.1:4021',
    requireIdentity: true,
    rates: { anonymousPerMinute: 60, walletPerMinute: 600, publishPerHour: 100 },
  })
  expect(config.authorities).toEqual(['127.0.0.1:4020', 'localhost:4020'])
  expect(config.platformAgentId).toBeNull()
  expect(decide({ ...good, SVC_PLATFORM_AGENT_ID: '0' }).config.platformAgentId, 'the id 0 is an id').toBe(0)
})

test.each([
  [{ DATABASE_URL: '' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'mysql://localhost/ergon' }, 'DATABASE_URL must be a postgres'],
  [{ SVC_PAYMENT_MOD: 'fase1' }, 'SVC_PAYMENT_MOD is none of the settings; did you mean SVC_PAYMENT_MODE?'],
  [{ SVC_RPC_BASE_SEPOLA: 'https://base.test' }, 'did you mean SVC_RPC_BASE_SEPOLIA?'],
  [{ SVC_SERVICE_HOST_OF_SOMETHING_ELSE: '10.0.0.1' }, 'is none of the settings; remove it'],
  [{ SVC_POOL_SIZE: '1' }, 'SVC_POOL_SIZE'],
  [{ SVC_SESSION_HOURS: '0' }, 'SVC_SESSION_HOURS'],
  [{ SVC_LOG_LEVEL: 'loud' }, 'SVC_LOG_LEVEL'],
  [{ SVC_AUTHORITIES: 'https://market.example' }, 'SVC_AUTHORITIES'],
  [{ SVC_AUTHORITIES: 'market.example/api' }, 'SVC_AUTHORITIES'],
  [{ SVC_TRUSTED_PROXIES: 'proxy.internal' }, 'SVC_TRUSTED_PROXIES'],
  [{ SVC_TRUSTED_PROXIES: '10.0.0.0/40' }, 'SVC_TRUSTED_PROXIES'],
  [{ SVC_FACILITATOR_URL: 'http://127.0.0.1:4020' }, 'the address of this service itself'],
  [{ SVC_UPLOAD_TASK_MIB: '200', SVC_UPLOAD_DAY_MIB: '100' }, 'SVC_UPLOAD_TASK_MIB allows more than'],
  [{ SVC_PAYMENTS_PER_WALLET: '101', SVC_PAYMENTS_PER_DAY: '100' }, 'SVC_PAYMENTS_PER_WALLET allows more than'],
  [
    { SVC_REQUIRE_IDENTITY: 'false', SVC_AUTO_REGISTER: 'false', SVC_REGISTER_PER_DAY: '10' },
    'SVC_REGISTER_PER_DAY is set',
  ],
  [{ SVC_S3_REGION: 'eu-west-1' }, 'SVC_S3_ENDPOINT is not'],
  [{ SVC_REVIEW_TIMEOUT_MS: '5000' }, 'SVC_REVIEW_URL is not'],
  [{ SVC_OAUTH: 'true', SVC_BASE_URL: 'http://127.0.0.1:4020/market' }, 'SVC_OAUTH is set, and SVC_BASE_URL'],
  [{ SVC_DATA_DIR: '"/var/lib/ergon"' }, 'SVC_DATA_DIR has quotes around it'],
  [{ 'export SVC_ADMIN_KEY': 'x' }, 'write SVC_ADMIN_KEY=…'],
  [{ SVC_NETWORKS: 'atlantis' }, 'atlantis'],
  [{ SVC_NETWORKS: 'solana' }, 'solana'],
  [{ SVC_NETWORKS: 'localnet,localnet' }, 'twice'],
  [{ SVC_NETWORKS: 'localnet,base' }, 'SVC_RPC_BASE'],
  [{ SVC_NETWORKS: 'localnet,base', SVC_RPC_BASE: 'https://base.test' }, 'published development key'],
  [{ SVC_PAYMENT_MODE: 'fase3' }, 'SVC_PAYMENT_MODE'],
  [{ SVC_AUTO_REGISTER: 'yes' }, 'SVC_AUTO_REGISTER'],
  [{ SVC_PORT: '70000' }, 'SVC_PORT'],
  [{ SVC_PLATFORM_AGENT_ID: '0x1' }, 'SVC_PLATFORM_AGENT_ID'],
  [{ SVC_SECRET: 'short' }, 'SVC_SECRET'],
  [{ SVC_WS_CONNECTIONS: '0' }, 'SVC_WS_CONNECTIONS'],
  [{ SVC_XMTP_ENV: 'test' }, 'SVC_XMTP_ENV'],
  [{ SVC_XMTP_ENV: 'dev' }, 'SVC_XMTP_KEY'],
  [{ SVC_XMTP_KEY: '0x12' }, 'SVC_XMTP_ENV is not'],
  [{ SVC_ORDER_SIGNER_KEY: '0x12' }, 'SVC_ORDER_SIGNER_KEY'],
  [{ SVC_ORDER_SIGNER_KEY: '0'.repeat(64) }, 'SVC_ORDER_SIGNER_KEY'],
  [{ SVC_SECRET_FILE: '/nowhere' }, 'not both'],
  [{ SVC_S3_BUCKET: 'evidence' }, 'SVC_S3_ENDPOINT'],
  [{ ...bucket, SVC_S3_ENDPOINT: 'store.test' }, 'SVC_S3_ENDPOINT'],
  [{ ...bucket, SVC_S3_BUCKET: '' }, 'SVC_S3_BUCKET'],
  [{ ...bucket, SVC_S3_BUCKET: 'a/../b' }, 'SVC_S3_BUCKET'],
  [{ ...bucket, SVC_S3_ACCESS_KEY: '' }, 'SVC_S3_ACCESS_KEY'],
  [{ ...bucket, SVC_S3_SECRET_KEY: '' }, 'SVC_S3_SECRET_KEY'],
  [{ SVC_INSPECT_THREADS: '0' }, 'SVC_INSPECT_THREADS'],
  [{ SVC_INSPECT_TIMEOUT_MS: '60000' }, 'SVC_INSPECT_TIMEOUT_MS'],
  [{ SVC_REVIEW_MODEL: 'm' }, 'SVC_REVIEW_URL'],
  [{ SVC_MAIL_URL: 'smtps://u:p@mail.test' }, 'SVC_MAIL_URL is set and SVC_MAIL_FROM is not'],
  [{ SVC_MAIL_FROM: 'a@market.test' }, 'SVC_MAIL_FROM is set and SVC_MAIL_URL is not'],
  [{ SVC_MAIL_PER_HOUR: '5' }, 'SVC_MAIL_PER_HOUR is set and SVC_MAIL_URL is not'],
  [{ SVC_MAIL_FORM: 'a@market.test' }, 'did you mean SVC_MAIL_FROM?'],
  [{ SVC_MAIL_URL: 'https://mail.test', SVC_MAIL_FROM: 'a@market.test' }, 'SVC_MAIL_URL must be smtps'],
  [{ SVC_MAIL_URL: 'smtp://mail.test/x', SVC_MAIL_FROM: 'a@market.test' }, 'must end with the host'],
  [{ SVC_MAIL_URL: 'smtp://u@mail.test', SVC_MAIL_FROM: 'a@market.test' }, 'user and password, or neither'],
  [{ SVC_MAIL_URL: 'smtp://u:%zz@mail.test', SVC_MAIL_FROM: 'a@market.test' }, 'write the signs'],
  [{ SVC_MAIL_URL: 'smtp://mail.test', SVC_MAIL_FROM: 'Us <a@market.test>' }, 'SVC_MAIL_FROM must be one address'],
  [{ SVC_MAIL_URL: 'smtp://m.test', SVC_MAIL_FROM: 'a@m.test', SVC_MAIL_PER_HOUR: '0' }, 'SVC_MAIL_PER_HOUR must be'],
  [{ SVC_LINKED_SIGNER_KEY: 'k' }, 'SVC_LINKED_SIGNER_URL is not'],
  [{ SVC_LINKED_SIGNER_URL: 'signer.test' }, 'SVC_LINKED_SIGNER_URL is no URL'],
  [{ SVC_LINKED_SIGNER_URL: 'http://signer.test' }, 'https'],
  [{ SVC_LINKED_SIGNER_URL: 'https://key@signer.test' }, 'credentials'],
  [{ SVC_LINKED_SIGNER_URL: 'https://signer.test/?a=b' }, 'no query'],
  [{ SVC_LINKED_SIGNER_URL: 'https://signer.test', SVC_LINKED_SIGNER_TIMEOUT_MS: '20001' }, 'whole number'],
  [{ SVC_REVIEW_URL: 'https://models.test/v1' }, 'SVC_REVIEW_MODEL'],
  [{ SVC_REVIEW_URL: 'models.test', SVC_REVIEW_MODEL: 'm' }, 'SVC_REVIEW_URL'],
  [{ SVC_REVIEW_URL: 'https://key@models.test/v1', SVC_REVIEW_MODEL: 'm' }, 'credentials'],
  [{ SVC_FAUCET_URL: 'http://127.0.0.1:4024' }, 'SVC_WEB_DIR is not'],
  [{ SVC_MAP_FILE: '/data/map.pmtiles' }, 'SVC_WEB_DIR is not'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_FILE: 'a', SVC_MAP_TILES_URL: 'https://t.test/{z}/{x}/{y}' }, 'one of them'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_TILES_URL: 'https://t.test/{z}/{x}' }, 'SVC_MAP_TILES_URL'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_TILES_URL: 'https://*/{z}/{x}/{y}' }, 'SVC_MAP_TILES_URL'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_TILES_URL: 'https://{z}.t.test/{x}/{y}' }, 'SVC_MAP_TILES_URL'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_TILES_URL: 'https://me:key@t.test/{z}/{x}/{y}' }, 'credentials'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_TILES_ZOOM: '14' }, 'SVC_MAP_TILES_URL is not'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_TILES_URL: 'https://t.test/{z}/{x}/{y}', SVC_MAP_TILES_ZOOM: '25' }, 'up to 24'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_ATTRIBUTION: 'Us' }, 'names no map'],
  [{ SVC_WEB_DIR: './dist', SVC_MAP_FILE: 'a', SVC_MAP_ATTRIBUTION: '<b>Us</b>' }, 'without markup'],
  [{ SVC_WEB_DIR: './dist', SVC_FAUCET_URL: '127.0.0.1:4024' }, 'SVC_FAUCET_URL'],
  [{ SVC_TERMS_URL: 'https://us.test/terms' }, 'SVC_WEB_DIR is not'],
  [{ SVC_WEB_DIR: './dist', SVC_TERMS_URL: 'javascript:alert(1)' }, 'SVC_TERMS_URL must be an http'],
  [{ SVC_WEB_DIR: './dist', SVC_PRIVACY_URL: 'https://me:key@us.test/' }, 'without credentials'],
  [{ SVC_WEB_DIR: './dist', SVC_HELP_URL: `https://us.test/${'a'.repeat(500)}` }, 'at most 500'],
  [{ SVC_WEB_DIR: './dist', SVC_HELP_URL: 'https://us.test/{address}' }, 'SVC_HELP_URL'],
  [{ SVC_WEB_DIR: './dist', SVC_FAUCET_URL: 'http://me:key@127.0.0.1:4024' }, 'credentials'],
  [
    {
      SVC_WEB_DIR: './dist',
      SVC_FAUCET_URL: 'http://127.0.0.1:4024',
      SVC_NETWORKS: 'localnet,base-sepolia',
      SVC_RPC_BASE_SEPOLIA: 'https://base.test',
    },
    'localnet alone',
  ],
] as const)('%j is refused by name, without its value', (change, named) => {
  expect(() => decide({ ...good, ...change })).toThrow(ConfigError)
  expect(() => decide({ ...good, ...change })).toThrow(named)
})

const real: Env = {
  ...good,
  SVC_NETWORKS: 'base,localnet',
  SVC_RPC_BASE: 'https://base.test',
  SVC_BASE_URL: 'https://market.example',
  SVC_ORDER_SIGNER_KEY: generatePrivateKey(),
  SVC_ADMIN_KEY: 'an admin key of thirty-two characters',
}

test('a start where money is real passes with keys of its own', () => {
  expect(decide(real).config.networks.map(({ network }) => network.name)).toEqual(['base', 'localnet'])
  expect(
    decide({ ...real, SVC_BASE_URL: 'http://127.0.0.1:4020' }).config.baseUrl,
    'behind a proxy on the same machine',
  ).toBe('http://127.0.0.1:4020')
})

test.each([
  ...[0, 1, 2, 3].map(
    (index) => [{ SVC_ORDER_SIGNER_KEY: localAccounts[index]?.privateKey }, 'published development key'] as const,
  ),
  [{ SVC_ORDER_SIGNER_KEY: `0x${'11'.repeat(32)}` }, 'published development key'],
  [{ SVC_ORDER_SIGNER_KEY: `0x${'0'.repeat(63)}1` }, 'published development key'],
  [
    { SVC_XMTP_ENV: 'production', SVC_XMTP_KEY: localAccounts[5]?.privateKey },
    'SVC_XMTP_KEY is a published development key',
  ],
  [{ SVC_ADMIN_KEY: 'open sesame' }, 'SVC_ADMIN_KEY'],
  [{ SVC_SECRET: 'a'.repeat(64) }, 'SVC_SECRET'],
  [{ SVC_BASE_URL: 'http://market.example' }, 'SVC_BASE_URL must be https'],
  [{ SVC_BASE_URL: 'https://me:word@market.example' }, 'SVC_BASE_URL must hold no credentials'],
  [{ SVC_BASE_URL: 'https://market.example/?from=a' }, 'no query'],
  [{ SVC_MCP_URL: 'https://market.example#tools' }, 'SVC_MCP_URL must hold no credentials, no query and no fragment'],
  [{ SVC_BASE_URL: 'http://localhost.example' }, 'SVC_BASE_URL must be https'],
  [{ SVC_MCP_URL: 'http://tools.example' }, 'SVC_MCP_URL must be https'],
  [{ SVC_MCP_CONFORMANCE: '1' }, 'SVC_MCP_CONFORMANCE'],
  [{ SVC_WEB_DIR: './dist', SVC_FAUCET_URL: 'https://faucet.example' }, 'SVC_FAUCET_URL'],
  [{ SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true' }, 'SVC_WEBHOOKS_ALLOW_LOOPBACK'],
] as const)('where money is real %j is refused by name', (change, named) => {
  expect(() => decide({ ...real, ...change })).toThrow(ConfigError)
  expect(() => decide({ ...real, ...change })).toThrow(named)
})

test('evidence stays in the data folder unless a bucket is named, whose secret is none of the configuration', () => {
  expect(decide(good).config.evidenceBucket).toBeNull()
  const { config, secrets } = decide({ ...good, ...bucket })
  expect(config.evidenceBucket).toEqual({
    endpoint: 'https://store.test',
    bucket: 'evidence',
    region: 'us-east-1',
    accessKey: 'access',
    pathStyle: true,
  })
  expect([secrets.s3SecretKey, JSON.stringify(config).includes('the secret of the bucket')]).toEqual([
    'the secret of the bucket',
    false,
  ])
})

test('no model reviews evidence unless one is named, and its key is none of the configuration', () => {
  expect([decide(good).config.review, decide(good).config.inspection]).toEqual([
    null,
    { processes: 1, timeoutMs: 5_000 },
  ])
  const { config, secrets } = decide({
    ...good,
    SVC_REVIEW_URL: 'https://models.test/v1/',
    SVC_REVIEW_MODEL: 'm',
    SVC_REVIEW_KEY: 'the key of the model',
  })
  expect(config.review).toEqual({ url: 'https://models.test/v1', model: 'm', timeoutMs: 20_000 })
  expect([secrets.reviewKey, JSON.stringify(config).includes('the key of the model')]).toEqual([
    'the key of the model',
    false,
  ])
})

test('no mail is sent unless a server is named: over TLS from the start or upgraded, and plain on this machine alone', () => {
  expect(decide(good).config.mail).toBeNull()
  const mailed = (url: string) => decide({ ...good, SVC_MAIL_URL: url, SVC_MAIL_FROM: 'notices@market.test' })
  const { config, secrets } = mailed('smtps://notices%40market.test:p%2Fw@mail.test')
  const settings = { host: 'mail.test', port: 465, tls: 'at once', from: 'notices@market.test', perHour: 500 }
  expect(config.mail).toEqual(settings)
  expect(secrets.mailLogin).toEqual({ user: 'notices@market.test', password: 'p/w' })
  expect(JSON.stringify(config)).not.toContain('p/w')
  expect(mailed('smtp://u:p@mail.test').config.mail).toMatchObject({ port: 587, tls: 'upgraded' })
  expect(mailed('smtp://u:p@mail.test:2525').config.mail).toMatchObject({ port: 2_525, tls: 'upgraded' })
  expect(mailed('smtp://127.0.0.1:25').config.mail).toMatchObject({ host: '127.0.0.1', port: 25, tls: 'none' })
})

test('no signer is linked unless one is named, and its key is none of the configuration', () => {
  expect(decide(good).config.linkedSigner).toBeNull()
  const { config, secrets } = decide({
    ...good,
    SVC_LINKED_SIGNER_URL: 'https://signer.test/api/',
    SVC_LINKED_SIGNER_KEY: 'the key of the signer',
  })
  expect(config.linkedSigner).toEqual({ url: 'https://signer.test/api', timeoutMs: 5_000 })
  expect([secrets.linkedSignerKey, JSON.stringify(config).includes('the key of the signer')]).toEqual([
    'the key of the signer',
    false,
  ])
})

const noLinks = { terms: null, privacy: null, help: null, onRamp: null }
const noStreets = { file: null, tilesUrl: null, tilesMaxZoom: 15, attribution: null }

test('no app is served unless its folder is named, and its faucet is for localnet', () => {
  expect(decide(good).config.web).toBeNull()
  expect(decide({ ...good, SVC_WEB_DIR: './dist' }).config.web).toEqual({
    dir: './dist',
    faucetUrl: null,
    map: noStreets,
    links: noLinks,
  })
  expect(decide({ ...good, SVC_WEB_DIR: './dist', SVC_FAUCET_URL: 'http://127.0.0.1:4024/' }).config.web).toEqual({
    dir: './dist',
    faucetUrl: 'http://127.0.0.1:4024',
    map: noStreets,
    links: noLinks,
  })
})

test('streets of the map come from a file or an address, and whoever is to be named is', () => {
  const map = (env: Env): unknown => decide({ ...good, SVC_WEB_DIR: './dist', ...env }).config.web?.map
  expect(map({ SVC_MAP_FILE: '/data/spain.pmtiles', SVC_MAP_ATTRIBUTION: '© The Town' })).toEqual({
    ...noStreets,
    file: '/data/spain.pmtiles',
    attribution: '© The Town',
  })
  const tilesUrl = 'https://tiles.test/v4/{z}/{x}/{y}.mvt?key=1'
  expect(map({ SVC_MAP_TILES_URL: tilesUrl, SVC_MAP_TILES_ZOOM: '14' })).toEqual({
    ...noStreets,
    tilesUrl,
    tilesMaxZoom: 14,
  })
})

test('the app leads to the pages that the operator names', () => {
  const links = {
    SVC_TERMS_URL: 'https://us.test/terms',
    SVC_HELP_URL: 'http://127.0.0.1:8080/help#top',
    SVC_ON_RAMP_URL: 'https://ramp.test/?to={address}',
  }
  expect(decide({ ...good, SVC_WEB_DIR: './dist', ...links }).config.web?.links).toEqual({
    ...noLinks,
    terms: 'https://us.test/terms',
    help: 'http://127.0.0.1:8080/help#top',
    onRamp: 'https://ramp.test/?to={address}',
  })
})

test('every setting is described for its page', () => {
  expect(settings.every((setting) => setting.says.endsWith('.') && setting.default !== undefined)).toBe(true)
  expect(settings.filter((setting) => 'secret' in setting).map((setting) => setting.name)).toEqual([
    'SVC_SOLANA_OPERATOR_KEY',
    'SVC_SOLANA_VOUCHER_KEY',
    'SVC_ORDER_SIGNER_KEY',
    'SVC_SECRET',
    'SVC_ADMIN_KEY',
    'SVC_S3_SECRET_KEY',
    'SVC_REVIEW_KEY',
    'SVC_LINKED_SIGNER_KEY',
    'SVC_MAIL_URL',
    'SVC_GEOCODER_HEADER',
    'SVC_XMTP_KEY',
    'SVC_METRICS_TOKEN',
  ])
})

test('metered channels are off until nodes of a cluster are named, and need its program and two keys', () => {
  expect(decide(good)).toMatchObject({ config: { solana: null }, secrets: { solana: undefined } })
  const keyFile = JSON.stringify([
    ...Buffer.from('42'.repeat(32), 'hex'),
    ...ed25519KeyOf(Buffer.from('42'.repeat(32), 'hex')),
  ])
  const metered: Env = {
    ...good,
    SVC_RPC_SOLANA: 'https://one.test,https://two.test',
    SVC_SOLANA_PROGRAM_HASH: '69'.repeat(32),
    SVC_SOLANA_OPERATOR_KEY: '41'.repeat(32),
    SVC_SOLANA_VOUCHER_KEY: keyFile,
  }
  const { config, secrets } = decide(metered)
  expect(config.solana).toMatchObject({
    rpcUrls: ['https://one.test', 'https://two.test'],
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    channelProgram: 'CHNLxYvVA28MJP9PrFuDXccuoGXAx7jBacfLEkahyGsX',
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    network: { testnet: false, caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
  })
  expect(Buffer.from(secrets.solana?.voucher.seed ?? []).toString('hex')).toBe('42'.repeat(32))
  const other = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
  expect(decide({ ...metered, SVC_SOLANA_GENESIS: other }).config.solana?.network).toMatchObject({
    testnet: true,
    caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  })
  const faults: readonly (readonly [Env, RegExp])[] = [
    [{ ...good, SVC_SOLANA_WITNESSES: '2' }, /SVC_SOLANA_WITNESSES is set and SVC_RPC_SOLANA is not/],
    [{ ...metered, SVC_RPC_SOLANA: 'ftp://one.test' }, /SVC_RPC_SOLANA must be/],
    [{ ...metered, SVC_SOLANA_PROGRAM_HASH: 'no' }, /set SVC_SOLANA_PROGRAM_HASH/],
    [{ ...metered, SVC_SOLANA_MINT: 'no' }, /SVC_SOLANA_MINT must be 32 bytes/],
    [{ ...metered, SVC_SOLANA_WITNESSES: '3' }, /SVC_SOLANA_WITNESSES must be a whole number from 1 to 2/],
    [{ ...metered, SVC_SOLANA_OPERATOR_KEY: keyFile }, /must be two keys/],
    [{ ...metered, SVC_SOLANA_OPERATOR_KEY: keyFile.replace('66', '67') }, /set SVC_SOLANA_OPERATOR_KEY/],
    [{ ...metered, SVC_SOLANA_VOUCHER_KEY: '' }, /set SVC_SOLANA_VOUCHER_KEY/],
  ]
  for (const [env, message] of faults) expect(() => decide(env)).toThrow(message)
})
