import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { networks, transferWithAuthorizationDigest, type Network } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFacilitator, decideConfig, readEnv, readSecrets, type Facilitator } from '../src/index.ts'
import { aTransfer, exactV2, payer, sign, tokenDomain } from '../src/testing/payments.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import { createClient, eventually, startFundedChain, type Answer, type Client } from './harness.ts'
import { startRpcProxy, type Fate, type RpcProxy } from './rpc-proxy.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

/** Two chains, two nodes, one facilitator: what ails one network is the other's no trouble (decision 0302). */

const other: Network = { ...networks.localnet, name: 'base-sepolia', caip2: 'eip155:31338', chainId: 31_338 }
const stack = new AsyncDisposableStack()
let chain: Chain
let node: RpcProxy
beforeAll(async () => {
  chain = stack.use(await startFundedChain())
  const second = stack.use(await startChain())
  await deployLocalnet(second.rpcUrl)
  await mintTestUsd(second.rpcUrl, payer.address, 1_000_000_000n)
  await rpc(second.rpcUrl, 'anvil_setChainId', [other.chainId])
  node = stack.use(await startRpcProxy(second.rpcUrl))
})
afterAll(async () => {
  heal()
  await stack.disposeAsync()
})

function heal(): void {
  node.decide = () => 'forward'
  node.rewrite = (_methods, answer) => answer
}
function silence(): void {
  node.decide = () => 'swallow-answer'
}

async function startBoth(databaseUrl: string): Promise<{ readonly service: Facilitator; readonly client: Client }> {
  const env = facilitatorEnv(chain.rpcUrl, databaseUrl, {
    FACILITATOR_SETTLE_WAIT_MS: '1000',
    FACILITATOR_RPC_TIMEOUT_MS: '500',
  })
  const config = decideConfig(readEnv(env))
  const both = [{ row: other, rpcUrls: [node.url] }, ...config.networks]
  const service = await createFacilitator({ ...config, networks: both }, readSecrets(env))
  return { service, client: createClient(await service.listen()) }
}

const settleHere = (client: Client) => client.post('/settle', exactV2(aTransfer({ value: 1n })))
function paymentThere(): Record<string, unknown> {
  const transfer = aTransfer({ value: 1n })
  const signature = sign(
    transferWithAuthorizationDigest({ ...tokenDomain, chainId: other.chainId ?? 0 }, transfer),
    payer.privateKey,
  )
  return exactV2(transfer, { signature, network: other.caip2 })
}
const settleThere = (client: Client, body = paymentThere(), key?: string): Promise<Answer> =>
  client.post('/settle', body, key === undefined ? {} : { 'idempotency-key': key })

async function served(client: Client): Promise<readonly string[]> {
  const { body } = await client.get('/supported')
  // The kinds of this facilitator.
  return (body['kinds'] as { readonly network: string }[]).map(({ network }) => network)
}

describe('a network whose node says nothing at the start', () => {
  test('keeps the others from nothing, is named, and is served once its node answers', async () => {
    silence()
    await using database = await createTestDatabase(facilitatorSchema)
    const { service, client } = await startBoth(database.url)
    await using _ = service
    expect((await settleHere(client)).body).toMatchObject({ success: true })
    expect(await served(client)).not.toContain(other.caip2)
    expect((await client.get('/settings')).body).toMatchObject({
      networks: [{ network: 'localnet' }],
      silent_networks: ['base-sepolia'],
    })
    expect((await client.get('/health')).body).toMatchObject({
      status: 'degraded',
      reasons: ['node_silent:base-sepolia'],
      networks: [{ network: 'localnet' }, { network: 'base-sepolia', gas_balance: null }],
    })
    for (const ask of [settleThere(client), client.post('/verify', paymentThere())])
      expect(await ask).toMatchObject({ status: 502, body: { errorCode: 'rpc_unavailable' } })
    expect((await settleThere(client)).body).toMatchObject({ broadcast: false, final: false })
    heal()
    await eventually(
      () => served(client),
      (all) => all.includes(other.caip2),
      'the network is served',
    )
    expect((await settleThere(client)).body).toMatchObject({ success: true })
    expect((await client.get('/health')).body).toMatchObject({ status: 'healthy' })
    expect((await client.get('/settings')).body).toMatchObject({ silent_networks: [] })
  })

  test('is never served while its node turns out to be of another chain, or to lack a contract', async () => {
    silence()
    await using database = await createTestDatabase(facilitatorSchema)
    const { service, client } = await startBoth(database.url)
    await using _ = service
    node.decide = () => 'forward'
    node.rewrite = (methods, answer) => (methods.includes('eth_chainId') ? answer.replaceAll('0x7a6a', '0x1') : answer)
    node.seen.length = 0
    await eventually(
      async () => node.seen.filter((method) => method === 'eth_chainId').length,
      (asked) => asked >= 2,
      'the node is asked',
    )
    node.rewrite = (methods, answer) =>
      methods.includes('eth_getCode') ? answer.replaceAll(/"result":"0x[0-9a-f]+"/g, '"result":"0x"') : answer
    node.seen.length = 0
    await eventually(
      async () => node.seen.filter((method) => method === 'eth_getCode').length,
      (asked) => asked >= 1,
      'the node is asked for code',
      20_000,
    )
    expect(await served(client)).not.toContain(other.caip2)
    expect(await settleThere(client)).toMatchObject({ status: 502, body: { errorCode: 'rpc_unavailable' } })
    expect((await settleHere(client)).body).toMatchObject({ success: true })
    heal()
  })

  test('takes up what the process before sent there, once', async () => {
    heal()
    await using database = await createTestDatabase(facilitatorSchema)
    const body = paymentThere()
    {
      const { service, client } = await startBoth(database.url)
      await using _ = service
      let isSent = false
      node.decide = (methods) => {
        isSent ||= methods.includes('eth_sendRawTransaction')
        return isSent ? 'swallow-answer' : 'forward'
      }
      expect((await settleThere(client, body, 'once')).body).toMatchObject({ errorCode: 'settlement_pending' })
    }
    const { service, client } = await startBoth(database.url)
    await using _ = service
    // What the process before sent may have landed.
    expect((await settleThere(client, body, 'once')).body).toMatchObject({ broadcast: true, final: false })
    heal()
    await eventually(
      async () => (await settleThere(client, body, 'once')).body['success'],
      (success) => success === true,
      'the payment is found',
    )
  })

  test('finishes the registrations that the process before began there, without being asked', async () => {
    heal()
    await using database = await createTestDatabase(facilitatorSchema)
    const agent = {
      x402Version: 1,
      network: other.name,
      agentUri: 'https://agents.example/a',
      recipient: payer.address,
    }
    let jobId = ''
    {
      const { service, client } = await startBoth(database.url)
      await using _ = service
      node.decide = (methods) => (methods.includes('eth_sendRawTransaction') ? 'drop' : 'forward')
      jobId = String((await client.post('/register', agent, { prefer: 'respond-async' })).body['jobId'])
      silence()
    }
    const { service, client } = await startBoth(database.url)
    await using _ = service
    const status = async () => (await client.get(`/register/status/${jobId}`)).body['status']
    expect(await status()).toBe('pending')
    heal()
    await eventually(status, (is) => is === 'done', 'the registration is finished', 20_000)
  })

  test('where all are silent there is nothing to serve, and the start ends', async () => {
    silence()
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(chain.rpcUrl, database.url, { FACILITATOR_RPC_TIMEOUT_MS: '300' })
    const config = decideConfig(readEnv(env))
    const networks = [{ row: other, rpcUrls: [node.url] }]
    await expect(createFacilitator({ ...config, networks }, readSecrets(env))).rejects.toThrow(
      'the node of base-sepolia does not answer',
    )
    heal()
  })
})

type Sickness = readonly [what: string, begin: () => void]
const rewriting = (method: string, from: RegExp, to: string): void => {
  node.rewrite = (methods, answer) => (methods.includes(method) ? answer.replaceAll(from, to) : answer)
}
const sicknesses: readonly Sickness[] = [
  ['says nothing', silence],
  [
    'takes eight seconds',
    () => {
      node.decide = async (): Promise<Fate> => {
        await new Promise((resolve) => setTimeout(resolve, 8_000))
        return 'drop'
      }
    },
  ],
  ['answers garbage', () => (node.rewrite = () => '<html>sorry</html>')],
  ['is of another chain', () => (node.rewrite = (_m, answer) => answer.replaceAll('0x7a6a', '0x1'))],
  [
    'asks for patience',
    () => (node.rewrite = () => '{"jsonrpc":"2.0","id":0,"error":{"code":429,"message":"rate limit"}}'),
  ],
  [
    'has no receipts, as where its head is frozen',
    () => rewriting('eth_getTransactionReceipt', /"result":.*?(?=,"id"|\})/g, '"result":null'),
  ],
  ['names an absurd price of gas', () => rewriting('eth_feeHistory', /"0x[0-9a-f]+"/g, '"0xffffffffffffffffff"')],
  ['has an empty account', () => rewriting('eth_getBalance', /"result":"0x[0-9a-f]+"/g, '"result":"0x0"')],
]

describe('a network that falls ill while others work', () => {
  test.each(sicknesses)('and %s: orders of others are settled as before', async (_what, begin) => {
    heal()
    await using database = await createTestDatabase(facilitatorSchema)
    const { service, client } = await startBoth(database.url)
    await using _ = service
    expect((await settleThere(client)).body).toMatchObject({ success: true })
    begin()
    const ill = Array.from({ length: 100 }, () => settleThere(client))
    const startedAt = performance.now()
    for (let count = 0; count < 5; count += 1) expect((await settleHere(client)).body).toMatchObject({ success: true })
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    expect((await client.post('/verify', exactV2(aTransfer({ value: 1n })))).status).toBe(200)
    const { body } = await client.get('/health')
    // Its reasons are strings.
    for (const reason of (body['reasons'] ?? []) as string[]) expect(reason).toContain('base-sepolia')
    heal()
    await Promise.all(ill)
  })
})
