import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryDatabase, startChain, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { generatePrivateKey, networks } from '@ergon/protocols'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StartupError } from '../src/index.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import {
  balanceOf,
  createClient,
  eventually,
  sentByFacilitator,
  startFacilitator,
  startFundedChain,
  type Client,
} from './harness.ts'
import { startRpcProxy, type RpcProxy } from './rpc-proxy.ts'
import { aPaymentInfo, aTransfer, authorizeBody, exactV2, releaseBody, worker } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startFundedChain()
})
afterAll(async () => {
  await chain.stop()
})

describe('a node that fails', () => {
  let proxy: RpcProxy
  let client: Client
  const stack = new AsyncDisposableStack()
  beforeAll(async () => {
    proxy = stack.use(await startRpcProxy(chain.rpcUrl))
    const database = stack.use(await createTestDatabase(facilitatorSchema))
    const service = stack.use(
      await startFacilitator(
        facilitatorEnv(proxy.url, database.url, {
          FACILITATOR_SETTLE_WAIT_MS: '400',
          FACILITATOR_RPC_TIMEOUT_MS: '200',
        }),
      ),
    )
    client = createClient(await service.listen())
  })
  afterAll(async () => {
    proxy.decide = () => 'forward'
    await stack.disposeAsync()
  })

  test('before the broadcast answers 502, broadcast false, and the payment can be settled later', async () => {
    const body = authorizeBody(aPaymentInfo())
    proxy.decide = () => 'drop'
    const answer = await client.post('/settle', body)
    expect(answer).toMatchObject({
      status: 502,
      body: { success: false, errorCode: 'rpc_unavailable', broadcast: false },
    })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(JSON.stringify(answer.body)).not.toContain(proxy.url)
    expect((await client.post('/verify', exactV2(aTransfer()))).status).toBe(502)
    proxy.decide = () => 'forward'
    expect((await client.post('/settle', body)).body).toMatchObject({ success: true })
  })

  test('with the answer to the broadcast answers settlement_pending with the transaction, and the repeated request finds it landed', async () => {
    const body = exactV2(aTransfer({ value: 90_000n }))
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const sent = await sentByFacilitator(chain.rpcUrl)
    let lost = false
    proxy.decide = (methods) => {
      if (!methods.includes('eth_sendRawTransaction') && !lost) return 'forward'
      lost = true
      return 'swallow-answer'
    }
    const answer = await client.post('/settle', body, { 'idempotency-key': 'pending' })
    expect(answer).toMatchObject({
      status: 502,
      body: { success: false, errorReason: 'settlement_pending', broadcast: true },
    })
    expect(answer.body['transaction']).toMatch(/^0x[0-9a-f]{64}$/)
    proxy.decide = () => 'forward'
    const repeated = await eventually(
      () => client.post('/settle', body, { 'idempotency-key': 'pending' }),
      ({ status }) => status === 200,
      'the landing',
    )
    expect(repeated.body['transaction']).toBe(answer.body['transaction'])
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 90_000n)
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent + 1)
  })

  test('after the broadcast lets the public client wait: it asks once more, is told of the landing, and pays once', async () => {
    await using silent = await startRpcProxy(chain.rpcUrl)
    await using database = await createTestDatabase(facilitatorSchema)
    await using service = await startFacilitator(
      facilitatorEnv(silent.url, database.url, {
        FACILITATOR_SETTLE_WAIT_MS: '4000',
        FACILITATOR_RPC_TIMEOUT_MS: '200',
      }),
    )
    const url = await service.listen()
    const body = exactV2(aTransfer({ value: 70_000n })) as Parameters<x402ResourceServer['settlePayment']>[0] & {
      readonly paymentPayload: Parameters<x402ResourceServer['settlePayment']>[0]
      readonly paymentRequirements: Parameters<x402ResourceServer['settlePayment']>[1]
    } // an envelope of the protocol
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const sent = await sentByFacilitator(chain.rpcUrl)
    const answers: object[] = []
    let lost = false
    silent.decide = (methods) => {
      // Silent from the broadcast on, until the first caller was told that nothing is known.
      lost ||= methods.includes('eth_sendRawTransaction')
      return lost && answers.length === 0 ? 'swallow-answer' : 'forward'
    }
    const http = new HTTPFacilitatorClient({ url })
    const watched = Object.assign(Object.create(http) as HTTPFacilitatorClient, {
      settle: async (...given: Parameters<typeof http.settle>) => {
        const answer = await http.settle(...given).catch((error: unknown) => error as Error)
        answers.push(answer)
        if (answer instanceof Error) throw answer
        return answer
      },
    })
    const server = new x402ResourceServer(watched).register('eip155:*', new ExactEvmScheme())
    await server.initialize()
    const settled = await server.settlePayment(body.paymentPayload, body.paymentRequirements)
    expect(answers).toMatchObject([
      { errorReason: 'settlement_pending', transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string },
      { success: true },
    ])
    expect(settled).toMatchObject({ success: true, transaction: Reflect.get(answers[0] ?? {}, 'transaction') })
    // What was paid once buys once.
    await expect(http.settle(body.paymentPayload, body.paymentRequirements)).rejects.toThrow('nonce_already_used')
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 70_000n)
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent + 1)
  })

  /** A payment whose broadcast is swallowed, and which its caller was told of as pending. */
  async function pendingPayment(value: bigint, waitMs: number) {
    await using stack = new AsyncDisposableStack()
    const silent = stack.use(await startRpcProxy(chain.rpcUrl))
    const database = stack.use(await createTestDatabase(facilitatorSchema))
    const service = stack.use(
      await startFacilitator(
        facilitatorEnv(silent.url, database.url, {
          FACILITATOR_SETTLE_WAIT_MS: String(waitMs),
          FACILITATOR_RPC_TIMEOUT_MS: '1000',
        }),
      ),
    )
    const caller = createClient(await service.listen())
    const body = exactV2(aTransfer({ value }))
    const before = await balanceOf(chain.rpcUrl, worker.address)
    let lost = false
    silent.decide = (methods) => {
      lost ||= methods.includes('eth_sendRawTransaction')
      return lost ? 'swallow-answer' : 'forward'
    }
    const told = await caller.post('/settle', body)
    expect(told).toMatchObject({ status: 502, body: { errorReason: 'settlement_pending' } })
    const owned = stack.move()
    return {
      databaseUrl: database.url,
      settle: () => caller.post('/settle', body),
      answers: () => {
        silent.decide = () => 'forward'
      },
      success: { status: 200, body: { success: true, transaction: told.body['transaction'] as string } },
      paid: async () => (await balanceOf(chain.rpcUrl, worker.address)) - before,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    }
  }

  test('who joined a payment that was told as pending has its landing, and it is told no second time', async () => {
    await using payment = await pendingPayment(60_000n, 4_000)
    // The same bytes while the payment is still open: this caller waits for it, and the node answers meanwhile.
    const joined = payment.settle()
    payment.answers()
    expect(await joined).toMatchObject(payment.success)
    expect(await payment.settle()).toMatchObject({ body: { errorCode: 'nonce_already_used' } })
    expect(await payment.paid()).toBe(60_000n)
  })

  test('who asks after the landing of what was pending has its success once, and nothing is paid twice', async () => {
    await using payment = await pendingPayment(50_000n, 400)
    payment.answers()
    await eventually(
      () => queryDatabase(payment.databaseUrl, "select 1 from intents where status = 'succeeded'"),
      (settled) => settled.length === 1,
      'the landing',
    )
    expect(await payment.settle()).toMatchObject(payment.success)
    expect(await payment.settle()).toMatchObject({ body: { errorCode: 'nonce_already_used' } })
    expect(await payment.paid()).toBe(50_000n)
  })

  test('while a payment is pending holds a second step on it back, unsent', async () => {
    const info = aPaymentInfo()
    await client.post('/settle', authorizeBody(info))
    proxy.decide = (methods) => (methods.some((method) => /send|mine|Receipt/i.test(method)) ? 'drop' : 'forward')
    const before = proxy.seen.length
    const first = client.post('/settle', releaseBody(info, 600_000n))
    await eventually(
      () => Promise.resolve(proxy.seen.slice(before)),
      (methods) => methods.some((method) => method === 'eth_sendRawTransaction' || method === 'evm_mine'),
      'the broadcast',
    )
    const second = await client.post('/settle', releaseBody(info, 600_000n))
    expect(second).toMatchObject({ status: 502, body: { broadcast: false } })
    expect(await first).toMatchObject({ status: 502, body: { errorReason: 'settlement_pending' } })
    proxy.decide = () => 'forward'
    const rest = releaseBody(info, 400_000n)
    await eventually(
      () => client.post('/settle', rest, { 'idempotency-key': 'the-rest' }),
      ({ status }) => status === 200,
      'the rest',
      15_000,
    )
  })
})

describe('a store that fails', () => {
  test('leaves every answer open, and sends nothing', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    await using service = await startFacilitator(facilitatorEnv(chain.rpcUrl, database.url))
    const client = createClient(await service.listen())
    const sent = await sentByFacilitator(chain.rpcUrl)
    await database.drop()
    for (const headers of [{ 'idempotency-key': 'lost' }, {}]) {
      expect(await client.post('/settle', exactV2(aTransfer()), headers)).toMatchObject({
        status: 502,
        body: {
          success: false,
          errorReason: 'settlement_pending',
          errorCode: 'settlement_pending',
          broadcast: true,
          final: false,
        },
      })
    }
    expect(await sentByFacilitator(chain.rpcUrl)).toBe(sent)
  })
})

describe('a chain that lost its last blocks', () => {
  test('gets the settled transactions again at the next start, and only those', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(chain.rpcUrl, database.url)
    const kept = exactV2(aTransfer({ value: 3_000n }))
    const lost = [exactV2(aTransfer({ value: 5_000n })), exactV2(aTransfer({ value: 7_000n }))]
    const before = await balanceOf(chain.rpcUrl, worker.address)
    const first = await startFacilitator(env)
    const client = createClient(await first.listen())
    expect((await client.post('/settle', kept)).body['success']).toBe(true)
    const snapshot = await rpc(chain.rpcUrl, 'evm_snapshot', [])
    const answers = [await client.post('/settle', lost[0]), await client.post('/settle', lost[1])]
    await first[Symbol.asyncDispose]()
    await rpc(chain.rpcUrl, 'evm_revert', [snapshot])
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 3_000n)

    await using second = await startFacilitator(env)
    const again = createClient(await second.listen())
    expect(await balanceOf(chain.rpcUrl, worker.address)).toBe(before + 15_000n)
    expect((await again.post('/settle', lost[1])).body).toMatchObject({
      errorCode: 'nonce_already_used',
      transaction: answers[1]?.body['transaction'],
    })
  })
})

describe('at start', () => {
  test('a node that does not answer is named', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    await expect(startFacilitator(facilitatorEnv('http://127.0.0.1:1', database.url))).rejects.toThrow(
      /node of localnet does not answer/,
    )
  })

  test('a chain without the contracts is refused, naming what is missing', async () => {
    await using empty = await startChain()
    await using database = await createTestDatabase(facilitatorSchema)
    await expect(startFacilitator(facilitatorEnv(empty.rpcUrl, database.url))).rejects.toThrow(
      /no code on localnet at: .*token USDC.*escrow.*token collector.*operator.*identity registry.*reputation registry.*rating delegate/,
    )
  })

  test('a second process with the same account is refused while the first runs, and one with another account is not', async () => {
    await using database = await createTestDatabase(facilitatorSchema)
    const env = facilitatorEnv(chain.rpcUrl, database.url, { FACILITATOR_LEASE_WAIT_MS: '300' })
    const first = await startFacilitator(env)
    await (await startFacilitator({ ...env, FACILITATOR_KEY: generatePrivateKey() }))[Symbol.asyncDispose]()
    await expect(startFacilitator(env)).rejects.toThrow(/another facilitator runs with the account/)
    const second = startFacilitator({ ...env, FACILITATOR_LEASE_WAIT_MS: '10000' })
    await first[Symbol.asyncDispose]()
    await (await second)[Symbol.asyncDispose]()
  })

  describe("an operator's own network rows", () => {
    const folder = mkdtempSync(join(tmpdir(), 'facilitator-rows-'))
    afterAll(() => {
      rmSync(folder, { recursive: true })
    })
    const withRow = async (change: object): Promise<Record<string, string>> => {
      const file = join(folder, `${Object.keys(change).join('-')}.json`)
      writeFileSync(file, JSON.stringify([{ ...networks.localnet, name: 'mychain', ...change }]))
      const database = await createTestDatabase(facilitatorSchema)
      return facilitatorEnv(chain.rpcUrl, database.url, {
        FACILITATOR_NETWORKS: 'mychain',
        FACILITATOR_RPC_MYCHAIN: chain.rpcUrl,
        FACILITATOR_NETWORKS_FILE: file,
        FACILITATOR_KEY: generatePrivateKey(),
      })
    }

    test('are served under their name', async () => {
      await using service = await startFacilitator(await withRow({}))
      const { body } = await createClient(await service.listen()).get('/supported')
      expect(body['kinds']).toContainEqual(expect.objectContaining({ scheme: 'exact', network: 'mychain' }))
    })

    test('may name their nodes', async () => {
      const env = await withRow({ rpcUrls: ['http://127.0.0.1:1', chain.rpcUrl] })
      await using service = await startFacilitator({ ...env, FACILITATOR_RPC_MYCHAIN: '' })
      expect((await createClient(await service.listen()).get('/supported')).status).toBe(200)
    })

    test.each<['legacy' | 'create3', string]>([
      ['legacy', '63ecf39b0a'],
      ['create3', '63c602dd4a'],
    ])('with an operator that lacks the functions of its generation (%s) are refused', async (abi, selector) => {
      const { escrow } = networks.localnet
      const operator = `0x${'9e'.repeat(20)}`
      // The operator of the local chain has the functions of both.
      const code = String(await rpc(chain.rpcUrl, 'eth_getCode', [escrow?.operator, 'latest']))
      await rpc(chain.rpcUrl, 'anvil_setCode', [operator, code.replaceAll(selector, '63deadbeef')])
      const starting = withRow({ escrow: { ...escrow, operator, operatorAbi: abi } }).then(startFacilitator)
      await expect(starting).rejects.toThrow(
        `is of the generation ${abi === 'legacy' ? 'create3' : 'legacy'}, not ${abi}`,
      )
    })

    test('with a token that counts in other decimals than the row says are refused', async () => {
      const address = `0x${'18'.repeat(20)}`
      // Whatever it is asked, it answers 18.
      await rpc(chain.rpcUrl, 'anvil_setCode', [address, '0x601260005260206000f3'])
      const { USDC } = networks.localnet.tokens
      await expect(withRow({ tokens: { USDC, EURC: { ...USDC, address } } }).then(startFacilitator)).rejects.toThrow(
        'the token EURC has 18 decimals, not 6: change the row of mychain',
      )
    })

    test.each<[string, object, RegExp]>([
      ['on another chain than the node', { chainId: 5, caip2: 'eip155:5' }, /is on chain 31337, not 5/],
      ['with a caip2 of another chain', { caip2: 'eip155:5' }, /caip2/],
      ['without tokens', { tokens: {} }, /token/],
      [
        'with a token of 18 decimals',
        { tokens: { USDC: { ...networks.localnet.tokens['USDC'], decimals: 18 } } },
        /18 decimals; only 6/,
      ],
      [
        'with an operator of another escrow',
        { escrow: { ...networks.localnet.escrow, escrow: networks.localnet.escrow?.collector } },
        /serves escrow/,
      ],
      ['with an operator that is none', { escrow: { ...networks.localnet.escrow, operator: '0x1' } }, /escrow address/],
    ])('%s are refused', async (_what, change, message) => {
      await expect(withRow(change).then(startFacilitator)).rejects.toThrow(message)
    })
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['no key', { FACILITATOR_KEY: '' }, /FACILITATOR_KEY/],
    ['no networks', { FACILITATOR_NETWORKS: '' }, /FACILITATOR_NETWORKS/],
    ['a network without a row', { FACILITATOR_NETWORKS: 'atlantis' }, /atlantis/],
    ['Solana without a node', { FACILITATOR_NETWORKS: 'solana' }, /FACILITATOR_RPC_SOLANA/],
    ['a network without a node', { FACILITATOR_NETWORKS: 'base' }, /FACILITATOR_RPC_BASE/],
    ['a node that is no URL', { FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:1, node' }, /FACILITATOR_RPC_LOCALNET/],
    ['a mode that is none', { FACILITATOR_LIFECYCLE_MODE: 'maybe' }, /FACILITATOR_LIFECYCLE_MODE/],
    ['a limit that is none', { FACILITATOR_RATE_LIMIT: 'much' }, /FACILITATOR_RATE_LIMIT/],
    ['no database', { DATABASE_URL: '' }, /DATABASE_URL/],
    [
      'a blacklist that is not there',
      { FACILITATOR_BLACKLIST_FILE: '/nowhere/list.json' },
      /FACILITATOR_BLACKLIST_FILE/,
    ],
  ])('%s is refused by name', async (_what, change, message) => {
    const env = { ...facilitatorEnv(chain.rpcUrl, 'postgres://127.0.0.1:1/none'), ...change }
    await expect(startFacilitator(env)).rejects.toThrow(StartupError)
    await expect(startFacilitator(env)).rejects.toThrow(message)
  })
})
