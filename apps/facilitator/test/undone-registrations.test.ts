import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain } from '@ergon/dev-env'
import { expectRegistered, type Hex, hexToBytes, identityRegistryAbi, loadFastKeccak, networks } from '@ergon/protocols'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createRpcClient } from '../src/chain/rpc-client.ts'
import { signTransaction } from '../src/chain/transaction.ts'
import { encodeCall } from '../src/identity/contract-calls.ts'
import { stepOf } from '../src/identity/mint-step.ts'
import { createService } from '../src/service.ts'
import { createMemoryDatabase, type MemoryDatabase } from '../src/testing/memory-store.ts'
import {
  account,
  addresses,
  aTransfer,
  exactV2,
  facilitator,
  payer,
  stranger,
  worker,
} from '../src/testing/payments.ts'
import { platform } from '../src/surroundings/platform.ts'
import { rpc } from './harness-env.ts'
import { eventually } from './harness.ts'
import { hurriedBy } from './hurried.ts'

beforeAll(async () => {
  await loadFastKeccak()
})

const [one, other] = [account(8).address, account(9).address]
const row = { ...networks.localnet, confirmations: 3 }
const identity = row.erc8004?.identity.toLowerCase() as Hex // a row of the table
const surroundings = hurriedBy(5)
const patience = 30_000

type Answer = { readonly status: number; readonly body: Record<string, unknown> }

/** A chain that a test undoes, and a facilitator beside it. */
type Scene = {
  readonly database: MemoryDatabase
  readonly rpcUrl: string
  node(method: string, ...params: readonly unknown[]): Promise<unknown>
  mine(): Promise<unknown>
  start(): Promise<void>
  register(recipient: string): Promise<Answer>
  post(path: string, key: string, body: object): Promise<Answer>
  get(path: string): Promise<Answer>
  ownerOf(agentId: number): Promise<unknown>
  /** A stranger registers an agent without us. */
  strangerRegisters(): Promise<void>
  /** So many transactions of the facilitator are in the pool, and the next block takes them. */
  sent(count: number): Promise<void>
}

async function aScene(): Promise<Scene> {
  const stack = new AsyncDisposableStack()
  onTestFinished(() => stack.disposeAsync())
  const chain = stack.use(await startChain({ mineAfterMs: 3_600_000 }))
  await deployLocalnet(chain.rpcUrl)
  const database = createMemoryDatabase(() => surroundings.now())
  let service: Awaited<ReturnType<typeof createService>> | undefined
  const node: Scene['node'] = (method, ...params) => rpc(chain.rpcUrl, method, params)
  const ask = async (method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> => {
    const answer = await service?.handle({ method, path, headers, body: new TextEncoder().encode(body) })
    // Every endpoint answers JSON objects.
    return { status: answer?.status ?? 0, body: JSON.parse(answer?.body ?? '{}') as Record<string, unknown> }
  }
  const scene: Scene = {
    database,
    rpcUrl: chain.rpcUrl,
    node,
    mine: () => node('evm_mine'),
    async start() {
      service = stack.use(
        await createService({
          config: {
            orderDelegates: [],
            lifecycleMode: 'enforce',
            blacklist: [],
            rateLimit: undefined,
            settleWaitMs: 60_000,
            minesOnDemand: false,
          },
          secrets: { privateKey: hexToBytes(facilitator.privateKey), adminToken: undefined },
          surroundings,
          networks: [
            {
              row,
              rpc: stack.use(
                createRpcClient({
                  urls: [chain.rpcUrl],
                  chainId: 31_337,
                  timeoutMs: 5_000,
                  surroundings: platform,
                  onTrouble: () => undefined,
                }),
              ),
            },
          ],
          intents: database.intents,
          registrations: database.registrations,
          lease: { epoch: database.raise(facilitator.address), lost: () => undefined },
          log: { warn: () => undefined, error: () => undefined },
        }),
      )
    },
    post: (path, key, body) =>
      ask('POST', path, { 'content-type': 'application/json', 'idempotency-key': key }, JSON.stringify(body)),
    register: (recipient) =>
      scene.post('/register', `register:${recipient}`, {
        ...{ x402Version: 1, network: row.name, agentUri: uriOf(recipient), recipient },
      }),
    get: (path) => ask('GET', path, {}),
    async ownerOf(agentId) {
      return String((await scene.get(`/identity/localnet/${String(agentId)}`)).body['owner']).toLowerCase()
    },
    async strangerRegisters() {
      const data = await encodeCall({ abi: identityRegistryAbi, functionName: 'register', args: ['ipfs://stranger'] })
      const nonce = Number(await node('eth_getTransactionCount', stranger.address, 'latest'))
      const fees = { maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 90_000_000_000n }
      const { raw } = signTransaction(
        { chainId: 31_337, nonce, ...fees, gas: 500_000n, to: identity, data },
        hexToBytes(stranger.privateKey),
      )
      await node('eth_sendRawTransaction', raw)
      await scene.mine()
    },
    async sent(count) {
      await eventually(
        async () => inPool(await node('txpool_content')),
        (found) => found >= count,
        `${String(count)} transactions in the pool`,
        patience,
      )
    },
  }
  return scene
}

/** Of a pool `{ pending: { account: { nonce: transaction } } }`; a transaction names its account a second time. */
function inPool(content: unknown): number {
  const { pending } = content as { readonly pending: Record<string, object> }
  return Object.keys(pending[facilitator.address.toLowerCase()] ?? {}).length
}

const uriOf = (recipient: string): string => `https://agents.example/${recipient}`

/** Waits for the number that a registration is told to have. */
async function until(scene: Scene, recipient: string, agentId: string): Promise<Answer> {
  return eventually(
    () => scene.register(recipient),
    ({ body }) => body['agentId'] === agentId,
    `agent ${agentId} of ${recipient}`,
    patience,
  )
}

test('two registrations that are undone, and mined again behind a stranger, give each wallet its own agent and tell its number', async () => {
  const scene = await aScene()
  await scene.start()
  const snapshot = await scene.node('evm_snapshot')
  const told = [scene.register(one), scene.register(other)]
  await scene.sent(2)
  await scene.mine()
  const before = (await Promise.all(told)).map(({ body }) => [Number(body['agentId']), body['owner']])
  const [first = 0, second = 0] = before.map(([agentId]) => Number(agentId)).toSorted((a, b) => a - b)
  expect(second).toBe(first + 1)
  expect(new Set(before.map(([, owner]) => owner))).toEqual(new Set([one, other]))
  const raws = scene.database.rows().map(({ transactions }) => transactions[0]?.raw)
  const ofFirst = before[0]?.[0] === first ? one : other
  const ofSecond = ofFirst === one ? other : one

  await scene.node('evm_revert', snapshot)
  await scene.strangerRegisters()
  for (const raw of raws) await scene.node('eth_sendRawTransaction', raw).catch(() => undefined)
  await scene.mine()

  await until(scene, ofFirst, String(second))
  await until(scene, ofSecond, String(second + 1))
  expect(await Promise.all([first, second, second + 1].map((id) => scene.ownerOf(id)))).toEqual([
    stranger.address.toLowerCase(),
    ofFirst,
    ofSecond,
  ])
  const { body } = await scene.get(`/identity/localnet/${String(second)}`)
  expect(body['agentUri']).toBe(uriOf(ofFirst))
  expect(scene.database.rows()).toHaveLength(2)
})

/** Registers, and answers how the registration is told from then on. */
async function registered(scene: Scene): Promise<{ readonly agentId: string; status(): Promise<readonly unknown[]> }> {
  const told = scene.register(one)
  await scene.sent(1)
  await scene.mine()
  const agentId = String((await told).body['agentId'])
  const id = scene.database.rows()[0]?.sameness ?? ''
  const status = async (): Promise<readonly unknown[]> => {
    const { body } = await scene.get(`/register/status/${id}`)
    return [body['status'], body['agentId'], body['owner']]
  }
  expect(await status()).toEqual(['done', agentId, one])
  return { agentId, status }
}

const undoneAs = ['pending', undefined, facilitator.address.toLowerCase()]

test('a registration that is undone is on its way again, and is told as that', async () => {
  const scene = await aScene()
  await scene.start()
  const snapshot = await scene.node('evm_snapshot')
  const { agentId, status } = await registered(scene)
  await scene.node('evm_revert', snapshot)
  await eventually(status, ([now]) => now === 'pending', 'the undone registration', patience)
  expect(await status()).toEqual(undoneAs)
  await scene.strangerRegisters()
  await eventually(
    async () => {
      await scene.mine()
      return status()
    },
    ([now]) => now === 'done',
    'the registration',
    patience,
  )
  expect(await status()).toEqual(['done', String(Number(agentId) + 1), one])
})

test('a registration that can be mined no more has failed, and its key begins another', async () => {
  const scene = await aScene()
  await scene.start()
  const snapshot = await scene.node('evm_snapshot')
  const { status } = await registered(scene)
  await scene.node('evm_revert', snapshot)
  await scene.node('anvil_dropAllTransactions')
  await eventually(status, ([now]) => now === 'pending', 'the undone registration', patience)
  const nonce = scene.database.rows()[0]?.accountNonce ?? 0
  await scene.node('anvil_setNonce', facilitator.address, `0x${(nonce + 1).toString(16)}`)
  await scene.node('anvil_mine', '0x5')
  await eventually(status, ([now]) => now === 'failed', 'the failure', patience)
  const again = async (): Promise<Answer> => {
    const asked = scene.register(one)
    const isAnswered = asked.then(() => true)
    const soon = (): Promise<boolean> => new Promise((resolve) => setTimeout(resolve, 50, false))
    while (!(await Promise.race([isAnswered, soon()]))) await scene.mine()
    return asked
  }
  expect((await again()).body).toMatchObject({ success: false, errorCode: 'rpc_unavailable' })
  const { body } = await again()
  expect(await scene.ownerOf(Number(body['agentId']))).toBe(one)
})

test('an agent is rated when its registration is deep, and nothing is sent before', async () => {
  const scene = await aScene()
  await mintTestUsd(scene.rpcUrl, payer.address, 1_000_000n)
  await scene.start()
  const asked = [scene.post('/settle', 'paid', exactV2(aTransfer())), scene.register(worker.address)] as const
  await scene.sent(2)
  await scene.mine()
  const [paid, registered] = await Promise.all(asked)
  const payment = {
    ...{ transactionHash: paid.body['transaction'], network: row.name, token: addresses.token },
    ...{ payer: payer.address, payee: worker.address },
  }
  const feedback = { agentId: registered.body['agentId'], value: 80, payment }
  const rate = (): Promise<Answer> => scene.post('/feedback', 'rating', { x402Version: 1, network: row.name, feedback })
  const shallow = {
    status: 503,
    body: { success: false, errorCode: 'agent_not_settled', broadcast: false, final: false },
  }
  const isSettled = async () => (await scene.get(`/identity/${row.name}/${String(feedback.agentId)}`)).body['settled']
  expect([await isSettled(), await rate()]).toMatchObject([false, shallow])
  await scene.node('anvil_mine', '0x2')
  expect([await isSettled(), await rate()]).toMatchObject([false, shallow])
  expect(scene.database.rows()).toHaveLength(2)
  await scene.mine()
  expect(await isSettled()).toBe(true)
  const rated = rate()
  await scene.sent(1)
  await scene.mine()
  expect(await rated).toMatchObject({ status: 200, body: { success: true, feedbackIndex: 1 } })
})

test('what the version before has minted for itself is handed over when that is deep, by the number it has then', async () => {
  const scene = await aScene()
  const { intents, registrations } = scene.database
  const epoch = scene.database.raise(facilitator.address)
  const id = surroundings.id()
  const data = await encodeCall({ abi: identityRegistryAbi, functionName: 'register', args: [uriOf(one)] })
  const account = facilitator.address.toLowerCase() as Hex // an address
  const nonce = Number(await scene.node('eth_getTransactionCount', account, 'latest'))
  const fees = { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  const transaction = signTransaction(
    { chainId: 31_337, nonce, ...fees, gas: 500_000n, to: identity, data },
    hexToBytes(facilitator.privateKey),
  )
  const expectations = [expectRegistered(identity, account)]
  const step = stepOf('register', id, { call: { to: identity, data }, expectations })
  await registrations.insert(
    {
      ...{ id, network: row.name, agentUri: uriOf(one), metadata: [], recipient: one, requestHash: 'hash' },
      idempotencyKey: null,
    },
    account,
    epoch,
  )
  await intents.insert(
    [
      {
        ...{ id: surroundings.id(), network: row.name, kind: 'register', onceKey: null, sameness: id },
        ...{ idempotencyKey: step.idempotencyKey, requestHash: id, account, accountNonce: nonce },
        ...{ transactions: [transaction], call: { to: identity, data, gas: '500000' }, expectations },
        ...{ status: 'sent', outcome: null },
      },
    ],
    epoch,
  )
  const snapshot = await scene.node('evm_snapshot')
  await scene.node('eth_sendRawTransaction', transaction.raw)
  await scene.mine()
  await scene.start()
  const mintedAs = await eventually(
    async () => (await registrations.find(id))?.agentId,
    (agentId) => typeof agentId === 'string',
    'the mint',
    patience,
  )
  await scene.node('evm_revert', snapshot)
  await scene.strangerRegisters()
  await scene.node('eth_sendRawTransaction', transaction.raw)
  await scene.mine()
  const number = Number(mintedAs) + 1
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  expect([await scene.ownerOf(Number(mintedAs)), await scene.ownerOf(number)]).toEqual([
    stranger.address.toLowerCase(),
    account,
  ])
  await scene.node('anvil_mine', '0x3')
  await eventually(
    async () => {
      await scene.mine()
      return (await registrations.find(id))?.status
    },
    (status) => status === 'done',
    'the hand-over',
    patience,
  )
  expect(await registrations.find(id)).toMatchObject({ agentId: String(number), recipient: one })
  expect(await scene.ownerOf(number)).toBe(one)
})
