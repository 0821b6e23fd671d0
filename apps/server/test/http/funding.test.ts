import { createClient } from '@ergon/sdk'
import { isFundingStatementSigned, type Hex } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc } from '../adapters/rig.ts'
import {
  aTask,
  applied,
  assign,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  type LiveMarket,
  type Party,
} from './live-market.ts'

/** Proof of funding on a real chain: what is said, signed, and checked without the service (decision 0173). */
let market: LiveMarket
let publisher: Party
let worker: Party
beforeAll(async () => {
  market = await startLiveMarket({ SVC_PUBLISH_PER_HOUR: '0' })
  ;[publisher, worker] = [await market.party(100n), await market.party(0n)]
})
afterAll(() => market[Symbol.asyncDispose]())

type Body = Readonly<Record<string, unknown>>
const fundingOf = async (taskId: string): Promise<Body> =>
  expectStatus(await market.get(`/api/v1/tasks/${taskId}/funding`), 200).body
const clientOf = () => createClient({ baseUrl: market.url })
const verify = (taskId: string, workerWallet?: string) =>
  clientOf().verifyFunding({
    task_id: taskId,
    rpc_url: market.rig.chain.rpcUrl,
    ...(workerWallet === undefined ? {} : { worker_wallet: workerWallet }),
  })

async function lockedTask(): Promise<string> {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  return job.taskId
}

describe('the money of a task that is assigned', () => {
  test('is held for this worker, and one call of any node tells the same', async () => {
    const taskId = await lockedTask()
    const said = await fundingOf(taskId)
    expect(said).toMatchObject({ state: 'held', receiver: worker.wallet.toLowerCase(), publisher_wallet: null })
    const { to, data } = said['check'] as { readonly to: string; readonly data: string }
    const words = String(await rpc(market.rig.chain.rpcUrl, 'eth_call', [{ to, data }, 'latest']))
    expect(BigInt(`0x${words.slice(66, 130)}`)).toBe(BigInt(String(said['capturable_atomic'])))
    expect(await verify(taskId, worker.wallet)).toMatchObject({ held: true, faults: [], signed: true })
  })

  test('is signed by a key that the service shows before it signs', async () => {
    const taskId = await lockedTask()
    const { statement } = await fundingOf(taskId)
    const { keys } = await clientOf().payments.fundingKeys()
    expect(keys).toHaveLength(3)
    expect(keys.map(({ signs_from }) => Date.parse(signs_from))).toEqual(
      keys.map(({ signs_from }) => Date.parse(signs_from)).sort((a, b) => a - b),
    )
    expect(keys[1]?.address).toBe((statement as Body)['signer'])
    expect(Date.parse(keys[2]?.signs_from ?? '')).toBeGreaterThan(Date.now())
    const { message } = (statement as { readonly typed_data: { readonly message: Body } }).typed_data
    const signature = String((statement as Body)['signature']) as Hex
    const words = {
      ...message,
      capturable: BigInt(String(message['capturable'])) + 1n,
      authorizationExpiry: Number(message['authorizationExpiry']),
      asOf: Number(message['asOf']),
    } as unknown as Parameters<typeof isFundingStatementSigned>[0]
    const addresses = keys.map(({ address }) => address)
    expect(isFundingStatementSigned(words, 31337, signature, addresses)).toBe(false)
    const own = { ...words, capturable: words.capturable - 1n }
    expect(isFundingStatementSigned(own, 31337, signature, addresses)).toBe(true)
    expect(isFundingStatementSigned(own, 31337, signature, [worker.wallet])).toBe(false)
  })

  test('is a fault for another worker', async () => {
    const taskId = await lockedTask()
    expect(await verify(taskId, publisher.wallet)).toMatchObject({
      held: false,
      faults: ['it is held for another wallet'],
    })
  })

  test('that went back is no longer held: the same call says so, and the service signs nothing', async () => {
    const taskId = await lockedTask()
    const { to, data } = (await fundingOf(taskId))['check'] as { readonly to: string; readonly data: string }
    expectStatus(await publisher.call('POST', `/api/v1/tasks/${taskId}/cancel`, {}), 200)
    const words = String(await rpc(market.rig.chain.rpcUrl, 'eth_call', [{ to, data }, 'latest']))
    expect(BigInt(`0x${words.slice(66, 130)}`)).toBe(0n)
    const { body } = expectStatus(await publisher.call('GET', `/api/v1/tasks/${taskId}/funding`), 200)
    expect(body).toMatchObject({ state: 'returned', statement: null, next_action: null })
  })
})

describe('the money of an open task', () => {
  const open = async (by: Party): Promise<string> =>
    String(expectStatus(await by.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])

  test('is not held, and the wallet of its publisher holds enough or does not', async () => {
    expect(await fundingOf(await open(publisher))).toMatchObject({
      state: 'not_funded',
      check: null,
      payment_hash: null,
      publisher_wallet: { holds: 'enough', allowance: 'not_needed' },
      next_action: { who: 'workers', what: 'apply' },
    })
    expect(await fundingOf(await open(await market.party(0n)))).toMatchObject({
      publisher_wallet: { holds: 'too_little' },
    })
    expect(await verify(await open(publisher))).toMatchObject({ held: false, capturable: null })
  })

  test('is looked at for strangers within a budget: past it the answer is unsigned and guesses nothing', async () => {
    const wallets = await Promise.all(Array.from({ length: 90 }, () => market.party(0n)))
    const tasks = await Promise.all(wallets.map(open))
    // Signed reads, for the limit of an address is another matter.
    const answers = await Promise.all(
      tasks.map(
        async (id, index) => (await (wallets[index] ?? publisher).call('GET', `/api/v1/tasks/${id}/funding`)).body,
      ),
    )
    const unknown = answers.filter((body) => (body['publisher_wallet'] as Body)['holds'] === 'unknown')
    expect(unknown.length).toBeGreaterThan(5)
    expect(unknown.every((body) => body['statement'] === null)).toBe(true)
    expect(answers.filter((body) => body['statement'] !== null).length).toBeGreaterThan(5)
  })
})
