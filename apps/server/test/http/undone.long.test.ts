import { localRoles } from '@ergon/contracts'
import { queryDatabase } from '@ergon/dev-env'
import { keccak256Hex, networks, ownerOfCalldata, utf8, type Address } from '@ergon/protocols'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rpc, startRig, treasury, type Rig } from '../adapters/rig.ts'
import {
  applied,
  approveFields,
  assign,
  eventually,
  expectStatus,
  paymentAuth,
  startLiveMarket,
  submit,
  type Applied,
  type LiveMarket,
  type Party,
} from './live-market.ts'

/** Blocks of a real chain that are undone, behind a service and a facilitator that have told what was in them. */

const [patience, slow] = [150_000, 400_000]
const held = 1_070_000n
const payout = 930_900n
const fee = 139_100n

let rig: Rig
let live: LiveMarket
beforeAll(async () => {
  rig = await startRig({ FACILITATOR_MINING: 'off' }, { ...networks.localnet, confirmations: 3 })
  live = await startLiveMarket({}, rig)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

const node = (method: string, ...params: readonly unknown[]): Promise<unknown> => rpc(rig.chain.rpcUrl, method, params)
// Each statement names the columns of its rows.
const rows = async <R>(text: string): Promise<readonly R[]> =>
  (await queryDatabase(live.databaseUrl, text)) as readonly R[]
const mine = (blocks: bigint): Promise<unknown> => node('anvil_mine', `0x${blocks.toString(16)}`)
const head = async (): Promise<bigint> => BigInt(String(await node('eth_blockNumber')))

async function until<T>(what: string, read: () => Promise<T>, wanted: T): Promise<void> {
  const same = (one: T): string =>
    JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
  const last = await eventually(read, (one) => same(one) === same(wanted), patience)
  expect([what, last]).toEqual([what, wanted])
}

/** What came since the snapshot is undone, and another, longer chain is in its place. */
async function undo(snapshot: unknown, others: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  const before = await head()
  await node('evm_revert', snapshot)
  await others()
  await mine(before - (await head()) + 1n)
}

/** An account of the node's own acts, whoever holds its key. */
async function act(from: Address, to: Address, data: string): Promise<void> {
  await node('anvil_impersonateAccount', from)
  await node('eth_sendTransaction', { from, to, data, gas: '0x1e8480', gasPrice: '0x0' })
  await node('evm_mine')
  await node('anvil_stopImpersonatingAccount', from)
}

/** Other transactions of the facilitator's account come in the place of what was undone. */
async function takeNonces(count: number): Promise<void> {
  const from = localRoles.facilitator.address
  for (let taken = 0; taken < count; taken += 1) await act(from, from, '0x')
}

type Job = Applied & { readonly publisher: Party; readonly worker: Party }

async function job(): Promise<Job> {
  const [publisher, worker] = [await live.party(5n), await live.party(0n)]
  return { publisher, worker, ...(await applied(publisher, worker)) }
}

async function lock(one: Job): Promise<void> {
  expectStatus(await assign(one.publisher, one, await paymentAuth(one.publisher, one)), 200)
}

async function approve(one: Job, submissionId: string): Promise<void> {
  const fields = await approveFields(one.publisher, submissionId)
  const body = { ...fields, rating: 90 }
  expectStatus(await one.publisher.call('POST', `/api/v1/tasks/${one.taskId}/approve`, body), 200)
}

const stateOf = async ({ publisher, taskId }: Job): Promise<readonly unknown[]> => {
  const { body } = await publisher.call('GET', `/api/v1/tasks/${taskId}`)
  return [body['status'], body['escrow_status']]
}
const balancesOf = ({ publisher, worker }: Job): Promise<readonly bigint[]> =>
  Promise.all([publisher.wallet, worker.wallet].map((wallet) => live.balance(wallet)))
const ratingOf = async ({ taskId }: Job) =>
  (
    await rows<{ id: string; status: string; tx_hash: string | null }>(
      `select id, status, tx_hash from ratings where task_id = '${taskId}' and direction = 'publisher_rates_executor'`,
    )
  )[0]

/** The payment, the fee and the rating of a job have landed, and are told. */
async function settled(one: Job): Promise<void> {
  await until('the job', () => stateOf(one), ['completed', 'released'])
  await until(
    'its fee',
    async () => typeof (await one.publisher.call('GET', `/api/v1/payments/${one.taskId}`)).body['fee_tx'],
    'string',
  )
  await until('its rating', async () => (await ratingOf(one))?.status, 'confirmed')
}

const isOnChain = async (txHash: unknown): Promise<boolean> =>
  ((await node('eth_getTransactionReceipt', txHash)) as { readonly status: string } | null)?.status === '0x1'

/** What the books have of the escrow is on chain, in the block they name, and nothing else is found. */
async function expectWhole(findings: readonly string[] = []): Promise<void> {
  const strayed = async (): Promise<readonly unknown[]> => {
    const booked = await rows<{ tx_hash: string; block: string }>(
      'select tx_hash, block_number::text as block from movements',
    )
    const blocks = await Promise.all(
      booked.map(async ({ tx_hash: hash, block }) => {
        const receipt = (await node('eth_getTransactionReceipt', hash)) as { readonly blockNumber: string } | null
        return receipt !== null && BigInt(receipt.blockNumber) === BigInt(block) ? null : hash
      }),
    )
    return blocks.filter((one) => one !== null)
  }
  await until('what is booked and not on chain', strayed, [])
  await until(
    'what is under way',
    async () => {
      const { body } = await live.get('/api/v1/health/payments')
      return [body['in_flight'], body['in_doubt'], body['ledger_balanced']]
    },
    [0, 0, true],
  )
  const audited = async (): Promise<readonly string[]> => {
    await rows("update escrows set audit_due_at = '-infinity'")
    await rows("update ratings set audit_due_at = '-infinity'")
    const { duties } = live.app.market
    await duties.auditMoney()
    await duties.auditRatings()
    await duties.followChains()
    const open = await rows<{ kind: string; detail: string }>(
      'select kind, detail from money_findings where resolved_at is null order by id',
    )
    return open.map(({ kind, detail }) => `${kind}: ${detail}`)
  }
  await until('what the audits find', audited, findings)
}

test(
  'two identities that are undone and mined again behind a stranger: each wallet owns its own, and is told its number',
  async () => {
    const identity = networks.localnet.erc8004?.identity ?? '0x'
    const stranger: Address = `0x${'5a'.repeat(20)}`
    const parties = [await live.party(5n), await live.party(0n)] as const
    const told = (): Promise<readonly unknown[]> =>
      Promise.all(
        parties.map(
          async ({ wallet }) => (await live.get(`/api/v1/reputation/identity/wallet/${wallet}`)).body['agent_id'],
        ),
      )
    const snapshot = await node('evm_snapshot')
    for (const party of parties) {
      const register = async () => (await party.call('POST', '/api/v1/reputation/register', {})).body['agent_id']
      await eventually(register, (agentId) => typeof agentId === 'number', patience)
    }
    const [first, second] = (await told()).map(Number)
    if (first === undefined || second === undefined) throw new Error('nobody is registered')
    expect(second).toBe(first + 1)
    const { taskId } = await applied(...parties)
    const published = async () => (await parties[0].call('GET', `/api/v1/tasks/${taskId}`)).body['erc8004_agent_id']
    expect(await published()).toBe(first)

    const register = keccak256Hex(utf8('register()')).slice(0, 10)
    await undo(snapshot, () => act(stranger, identity, register))
    const ownerOf = async (agentId: number): Promise<unknown> => {
      const word = await node('eth_call', { to: identity, data: ownerOfCalldata(agentId) }, 'latest').catch(() => '0x')
      return `0x${String(word).slice(26)}`
    }
    const owners = (): Promise<unknown> => Promise.all([first, second, second + 1].map(ownerOf))
    await until('the owners', owners, [stranger, parties[0].wallet, parties[1].wallet])
    const checked = async (): Promise<unknown> => {
      await rows("update identities set check_at = '-infinity'")
      await live.app.market.duties.checkIdentities()
      return told()
    }
    await until('the numbers that are told', checked, [second, second + 1])
    expect(await published()).toBe(second)
    const again = await parties[1].call('POST', '/api/v1/reputation/register', {})
    expect(again.body['agent_id']).toBe(second + 1)
  },
  slow,
)

test(
  'a lock, a release, its fee and its rating that are undone are sent again, and each is done once',
  async () => {
    const [locked, paid] = [await job(), await job()]
    await lock(paid)
    const submissionId = await submit(paid.worker, paid.taskId)
    const treasuryBefore = await live.balance(treasury)
    const snapshot = await node('evm_snapshot')
    await lock(locked)
    await approve(paid, submissionId)
    await settled(paid)
    const rating = await ratingOf(paid)
    await undo(snapshot)
    expect([await balancesOf(locked), await balancesOf(paid)]).toEqual([
      [5_000_000n, 0n],
      [5_000_000n - held, 0n],
    ])
    expect(await isOnChain(rating?.tx_hash)).toBe(false)

    await until('the lock', () => balancesOf(locked), [5_000_000n - held, 0n])
    await until('the release', () => balancesOf(paid), [5_000_000n - held, payout])
    await until('the fee', async () => (await live.balance(treasury)) - treasuryBefore, fee)
    await until('the rating', () => isOnChain(rating?.tx_hash), true)
    await expectWhole()
    expect(await stateOf(locked)).toEqual(['accepted', 'authorized'])
    expect(await stateOf(paid)).toEqual(['completed', 'released'])
    expect(await ratingOf(paid)).toEqual(rating)

    // What the lock holds is earned as if nothing had been.
    await approve(locked, await submit(locked.worker, locked.taskId))
    await settled(locked)
    await until('the second release', () => balancesOf(locked), [5_000_000n - held, payout])
    await expectWhole()
  },
  slow,
)

test(
  'a lock that cannot be made again is given up: its task is told so, can be cancelled, and nothing is locked later',
  async () => {
    const one = await job()
    const snapshot = await node('evm_snapshot')
    await lock(one)
    const token = networks.localnet.tokens['USDC']?.address ?? '0x'
    const move = (from: Address, to: Address) =>
      act(
        from,
        token as Address,
        `0xa9059cbb${to.slice(2).padStart(64, '0')}${5_000_000n.toString(16).padStart(64, '0')}`,
      )
    const safe = await live.party(0n)
    // Its payer has spent the money otherwise in the blocks that stayed.
    await undo(snapshot, () => move(one.publisher.wallet, safe.wallet))
    await mine(40n)
    await until('the task', () => stateOf(one), ['accepted', 'refunded'])
    await expectWhole()
    const cancelled = expectStatus(await one.publisher.call('DELETE', `/api/v1/tasks/${one.taskId}`), 200)
    expect([cancelled.body['status'], cancelled.body['refund_tx'] ?? null]).toEqual(['cancelled', null])
    await move(safe.wallet, one.publisher.wallet)
    await mine(5n)
    await expectWhole()
    expect(await balancesOf(one)).toEqual([5_000_000n, 0n])
  },
  slow,
)

test(
  'a release, a fee and a rating whose transactions can never be mined again: the worker is paid once by another, and the rating is told as not there',
  async () => {
    const one = await job()
    await lock(one)
    const submissionId = await submit(one.worker, one.taskId)
    const treasuryBefore = await live.balance(treasury)
    const snapshot = await node('evm_snapshot')
    await approve(one, submissionId)
    await settled(one)
    await expectWhole()
    const rating = await ratingOf(one)
    await undo(snapshot, () => takeNonces(3))
    await mine(40n)
    expect(await balancesOf(one)).toEqual([5_000_000n - held, 0n])

    await until('the release', () => balancesOf(one), [5_000_000n - held, payout])
    await until('the fee', async () => (await live.balance(treasury)) - treasuryBefore, fee)
    await expectWhole(['rating_hash: the registry holds no rating with the hash of this document'])
    expect(await isOnChain(rating?.tx_hash)).toBe(false)
    expect(await stateOf(one)).toEqual(['completed', 'released'])
    const feeTx = async (): Promise<unknown> =>
      (await one.publisher.call('GET', `/api/v1/payments/${one.taskId}`)).body['fee_tx']
    await until('the name of its fee', async () => isOnChain((await feeTx()) ?? rating?.tx_hash), true)
  },
  slow,
)
