import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGateway, decideConfig, readSecrets, settings, StartupError } from '../src/index.ts'
import { price, seller, startChain, startStage, startUpstream } from './harness.ts'

type Env = Readonly<Record<string, string>>

const good: Env = {
  DATABASE_URL: 'postgres://ergon@/ergon?host=/run/postgresql',
  GATEWAY_ENDPOINTS: `/weather http://127.0.0.1:1/v1 ${price} ${seller.address}`,
  GATEWAY_RPC: 'http://127.0.0.1:1',
}
const decide = (more: Env): ReturnType<typeof decideConfig> => decideConfig({ ...good, ...more })

const refused: readonly (readonly [Env, string])[] = [
  [{ GATEWAY_PORT: '70000' }, 'GATEWAY_PORT must be 4030 or other whole numbers up to 65535'],
  [{ GATEWAY_PORT: '0x10' }, 'GATEWAY_PORT must be'],
  [{ GATEWAY_PORT: '5 5' }, 'GATEWAY_PORT must be'],
  [{ GATEWAY_HOST: '"127.0.0.1"' }, 'GATEWAY_HOST has quotes around it'],
  [{ GATEWAY_SEATS: '1//1' }, 'GATEWAY_SEATS must be'],
  [{ GATEWAY_DATABASE_WAIT_MS: '3000000000' }, 'GATEWAY_DATABASE_WAIT_MS must be'],
  [{ GATEWAY_RPC: ' , ' }, 'GATEWAY_RPC must be the URL of a node'],
  [{ GATEWAY_RPC: 'nonsense' }, 'GATEWAY_RPC must be the URL of a node'],
  [{ GATEWAY_LOG_LEVEL: 'loud' }, 'GATEWAY_LOG_LEVEL must be one of trace, debug'],
]

test.each(refused)('%o stops the start', (more, sentence) => {
  expect(() => decide(more)).toThrow(StartupError)
  expect(() => decide(more)).toThrow(sentence)
})

test('an empty value is none: nothing listens to strangers for one', () => {
  const empty = Object.fromEntries(settings.map(({ name }) => [name, '']))
  expect(decide({ ...empty, ...good })).toEqual(decide({}))
  expect(decide({ GATEWAY_HOST: '' }).host).toBe('127.0.0.1')
})

test('a seed may come from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-keys-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'seed')
  writeFileSync(file, `${'47'.repeat(32)}\n`)
  const config = decide({ GATEWAY_NETWORK: 'localnet' })
  const { operator } = readSecrets({ GATEWAY_OPERATOR_KEY_FILE: file }, config)
  expect(Buffer.from(operator.seed).toString('hex')).toBe('47'.repeat(32))
  expect(() => readSecrets({ GATEWAY_OPERATOR_KEY_FILE: join(folder, 'none') }, config)).toThrow(
    'GATEWAY_OPERATOR_KEY_FILE cannot be read',
  )
})

test('a port that is taken is told in a sentence', async () => {
  await using chain = await startChain()
  await using upstream = await startUpstream()
  const stage = await startStage(chain, upstream.url)
  onTestFinished(() => stage[Symbol.asyncDispose]())
  const { port } = new URL(stage.url)
  const config = decideConfig({ ...stage.env, GATEWAY_PORT: port })
  await using second = await createGateway(config, readSecrets(stage.env, config))
  await expect(second.listen()).rejects.toThrow(new StartupError(`cannot listen on 127.0.0.1 port ${port}: EADDRINUSE`))
})
