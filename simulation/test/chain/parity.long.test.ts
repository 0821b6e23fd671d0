import { mintTestUsd } from '@ergon/contracts'
import { zeroAddress, type Hex } from '@ergon/protocols'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployment, tokenStoreOf } from '../../src/chain/deployment.ts'
import { actors, anOperation, encode, hashesOf, paymentsOf, type Operation } from './operations.ts'
import { openAnvil, openMemory, type Twin } from './twin.ts'

/**
 * One suite on two chains: generated calls of payer, payee, stranger and facilitator, each asked first, then sent in a
 * block of its own second. Whatever a client can see of them over JSON-RPC is the same on both.
 */

type Opened = Awaited<ReturnType<typeof openAnvil>>
let anvil: Opened | undefined
let nonces: number[] = []
let clock = 0
let runs = 0

const wallets = actors.map((actor) => actor.address.toLowerCase() as Hex) // an address stays one

beforeAll(async () => {
  anvil = await openAnvil()
  for (const wallet of wallets) await mintTestUsd(anvil.url ?? '', wallet, 1_000_000_000n)
})
afterAll(async () => {
  await anvil?.[Symbol.asyncDispose]()
})

function word(value: string): string {
  return value.slice(2).toLowerCase().padStart(64, '0')
}

/** What is comparable of a receipt: not its block's hash, not its gas. */
function visible(receipt: unknown, twin: Twin): unknown {
  if (receipt === null || receipt === undefined) return null
  const { status, blockNumber, logs, from, to } = receipt as {
    status: string
    blockNumber: string
    logs: readonly Record<string, unknown>[]
    from: string
    to: string
  }
  return {
    status,
    from,
    to,
    blockNumber: Number(blockNumber) - twin.blockOffset,
    logs: logs.map(({ address, topics, data, logIndex }) => ({ address, topics, data, logIndex })),
  }
}

function verdict(answer: {
  readonly result?: unknown
  readonly error?: { readonly data?: unknown } | undefined
}): unknown {
  return answer.error === undefined ? answer.result : { reverts: answer.error.data ?? null }
}

async function stateOf(twin: Twin, hashes: readonly Hex[]): Promise<unknown> {
  const read = async (to: string, data: string): Promise<unknown> =>
    verdict(await twin.ask('eth_call', [{ to, data }, 'latest']))
  const { token, escrow, operator, treasury } = deployment
  const accounts = [
    ...wallets,
    operator,
    treasury,
    deployment.collector,
    tokenStoreOf(operator),
    tokenStoreOf(wallets[3] ?? zeroAddress),
  ]
  return {
    balances: await Promise.all(accounts.map((account) => read(token, `0x70a08231${word(account)}`))),
    payments: await Promise.all(hashes.map((hash) => read(escrow, `0x34b778ed${hash.slice(2)}`))),
    fees: await Promise.all(hashes.map((hash) => read(operator, `0x91d897b1${hash.slice(2)}`))),
    stores: await Promise.all(
      [operator, wallets[3] ?? ''].map((account) => read(escrow, `0x9d3facde${word(account)}`)),
    ),
    counts: await Promise.all(
      wallets.map(async (wallet) => (await twin.ask('eth_getTransactionCount', [wallet, 'latest'])).result),
    ),
  }
}

async function step(
  twins: readonly Twin[],
  operation: Operation,
  payments: ReturnType<typeof paymentsOf>,
  start: number,
): Promise<void> {
  const { to, data } = await encode(operation, payments, start)
  const actor = actors[operation.actor]
  if (actor === undefined) throw new Error('no such actor')
  const from = actor.address.toLowerCase()
  const asked = await Promise.all(
    twins.map(async (twin) => verdict(await twin.ask('eth_call', [{ from, to, data }, 'latest']))),
  )
  expect(asked[1], `asked: ${operation.kind}`).toEqual(asked[0])
  await Promise.all(twins.map((twin) => twin.hold(clock)))
  const estimated = await Promise.all(
    twins.map(async (twin) => verdict(await twin.ask('eth_estimateGas', [{ from, to, data }]))),
  )
  expect(typeof estimated[1] === 'string' ? 'gas' : estimated[1]).toEqual(
    typeof estimated[0] === 'string' ? 'gas' : estimated[0],
  )
  const nonce = nonces[operation.actor] ?? 0
  nonces[operation.actor] = nonce + 1
  const raw = await actor.signTransaction({
    type: 'eip1559',
    chainId: deployment.chainId,
    nonce,
    to,
    data,
    gas: 1_000_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
  clock += operation.after
  const sent = await Promise.all(twins.map(async (twin) => verdict(await twin.ask('eth_sendRawTransaction', [raw]))))
  expect(sent[1], 'the transaction has one hash').toBe(sent[0])
  for (const twin of twins) await twin.mine(clock)
  const receipts = await Promise.all(
    twins.map(async (twin) => visible((await twin.ask('eth_getTransactionReceipt', [sent[0]])).result, twin)),
  )
  expect(receipts[1], `${operation.kind} by ${String(operation.actor)}`).toEqual(receipts[0])
}

async function logsSince(twin: Twin, from: number, filter: Record<string, unknown>): Promise<unknown> {
  const { result } = await twin.ask('eth_getLogs', [
    { ...filter, fromBlock: `0x${(from + twin.blockOffset).toString(16)}`, toBlock: 'latest' },
  ])
  return (result as readonly Record<string, unknown>[]).map(
    ({ address, topics, data, logIndex, blockNumber, transactionHash, removed }) =>
      // the method's own answer
      ({
        address,
        topics,
        data,
        logIndex,
        transactionHash,
        removed,
        blockNumber: Number(blockNumber) - twin.blockOffset,
      }),
  )
}

async function compare(operations: readonly Operation[]): Promise<void> {
  if (anvil === undefined) throw new Error('the chain is not there')
  runs += 1
  const { result: snapshot } = await anvil.ask('evm_snapshot', [])
  const { result: head } = await anvil.ask('eth_getBlockByNumber', ['latest', false])
  const { number, timestamp } = head as { number: string; timestamp: string } // the method's own answer
  anvil.blockOffset = Number(number)
  const start = Math.max(clock, Number(timestamp)) + 1
  clock = start
  const memory = openMemory(start, wallets)
  nonces = wallets.map(() => 0)
  const payments = paymentsOf(`run ${String(runs)}`, start)
  const hashes = hashesOf(payments)
  const twins: readonly Twin[] = [anvil, memory]
  await anvil.mine(start)
  anvil.blockOffset += 1
  for (const operation of operations) {
    await step(twins, operation, payments, start)
    const states = await Promise.all(twins.map((twin) => stateOf(twin, hashes)))
    expect(states[1], `after ${operation.kind}`).toEqual(states[0])
  }
  const filters = [
    { address: deployment.escrow },
    { address: deployment.token, topics: [null, null, `0x${word(wallets[2] ?? '')}`] },
    { topics: [[], hashes[0] ?? null] },
    { address: deployment.operator },
  ]
  for (const filter of filters) {
    const logs = await Promise.all(twins.map((twin) => logsSince(twin, 1, filter)))
    expect(logs[1], JSON.stringify(filter)).toEqual(logs[0])
  }
  await anvil.ask('evm_revert', [snapshot])
}

test(
  'the chain in memory answers as the contracts on a real chain do, whoever calls what in any order',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anOperation(), { minLength: 4, maxLength: 25 }), async (operations) => {
        await compare(operations)
      }),
      { numRuns: 40, endOnFailure: true },
    )
  },
)
