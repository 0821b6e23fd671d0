import type { Payment, RailOrder } from '@ergon/core'
import { eventTopic, networks, type ExpectedEvent, type Hex, type ProofEventName } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createChainReader } from '../../src/adapters/chain/chain-reader.ts'
import { createLogSearch } from '../../src/adapters/chain/log-search.ts'
import type { Rpc, RpcAnswer } from '../../src/adapters/chain/rpc.ts'
import type { ServedNetwork } from '../../src/adapters/networks.ts'
import { findOrder } from '../../src/adapters/rails/find-order.ts'
import { readMovements } from '../../src/adapters/rails/movements.ts'

type Raw = Readonly<Record<'address' | 'data' | 'transactionHash' | 'blockNumber' | 'logIndex', string>> & {
  readonly topics: readonly string[]
}

/** What a chain has: logs, and what its escrow says of a payment. */
type Content = { readonly logs?: readonly Raw[]; readonly state?: readonly bigint[] }

/** A node of a long chain that answers narrow ranges only: a block every two seconds up to the given moment. */
function narrowNode(
  head: bigint,
  at: Date,
  widest: bigint,
  { logs = [], state = [] }: Content = {},
): Rpc & { asked: number } {
  const answer = ({ method, params: [param] }: { method: string; params: readonly unknown[] }): RpcAnswer => {
    node.asked += 1
    if (method === 'eth_blockNumber') return { result: `0x${head.toString(16)}` }
    if (method === 'eth_call') return { result: `0x${state.map(word).join('')}` }
    if (method === 'eth_getTransactionReceipt') {
      const own = logs.filter(({ transactionHash }) => transactionHash === param)
      return { result: own[0] === undefined ? null : { status: '0x1', blockNumber: own[0].blockNumber, logs: own } }
    }
    if (method === 'eth_getBlockByNumber')
      return {
        result: { timestamp: `0x${(BigInt(at.getTime() / 1_000) - (head - BigInt(String(param))) * 2n).toString(16)}` },
      }
    const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string } // what the search asks for
    const isNarrow = toBlock !== 'latest' && BigInt(toBlock) - BigInt(fromBlock) < widest
    if (!isNarrow) return { error: { code: -32_005, message: 'range too wide' } }
    const isWithin = ({ blockNumber }: Raw): boolean =>
      BigInt(blockNumber) >= BigInt(fromBlock) && BigInt(blockNumber) <= BigInt(toBlock)
    return { result: logs.filter(isWithin) }
  }
  const node = {
    asked: 0,
    batch: (calls: Parameters<Rpc['batch']>[0]) => Promise.resolve(calls.map(answer)),
    read: (method: string, params: readonly unknown[]) => Promise.resolve(answer({ method, params }).result),
    chainIds: () => Promise.resolve([31_337]),
    [Symbol.dispose]: () => undefined,
  }
  return node
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

const at = new Date('2026-11-21T12:00:00Z')
const expected: ExpectedEvent = { emitter: `0x${'e'.repeat(40)}`, events: [`0x${'1'.repeat(64)}`], indexed: [] }

test('what cannot be older than a moment is looked for back to that moment, on a chain of any length', async () => {
  const node = narrowNode(30_000_000n, at, 1_000n)
  expect(await createLogSearch(node).newest(expected, new Date(at.getTime() - 3_600_000))).toBeUndefined()
  expect(node.asked).toBeLessThan(20)
})

test('without a moment a chain too long to be searched is no answer', async () => {
  await expect(createLogSearch(narrowNode(30_000_000n, at, 1_000n)).newest(expected)).rejects.toThrow('further back')
})

test('a dispute of weeks is within reach, whatever moved before it', async () => {
  // A month of blocks of two seconds, at nodes that answer for nine thousand of them.
  const node = narrowNode(1_300_000n, at, 9_000n)
  expect(await createLogSearch(node).all(expected, (_, walked) => walked.length > 0)).toEqual([])
})

describe('at a node that answers five hundred blocks a question, of a payment a year old', () => {
  const head = 30_000_000n
  const row = networks.localnet
  const hash: Hex = `0x${'a'.repeat(64)}`
  const txHash = (digit: string): string => `0x${digit.repeat(64)}`
  const log = (event: ProofEventName, digit: string, block: bigint, ...words: readonly bigint[]): Raw => ({
    address: row.escrow?.escrow ?? '',
    topics: [eventTopic(event), hash],
    data: `0x${words.map(word).join('')}`,
    transactionHash: txHash(digit),
    blockNumber: `0x${block.toString(16)}`,
    logIndex: '0x0',
  })
  const terms = Array<bigint>(12).fill(0n)
  const authorized = log('PaymentAuthorized', '1', 10_000_000n, ...terms, 100n)
  const captured = log('PaymentCaptured', '2', 10_000_100n, 60n, 1_300n)
  const voided = log('PaymentPartiallyVoided', '3', head - 800n, 40n)
  const payment = { hash } as Payment // nothing else of it is read
  const served = (node: Rpc, booked: readonly string[]): ServedNetwork => ({
    row,
    chainId: 31_337,
    rpc: node,
    chain: createChainReader(node, row),
    booked: (key) => Promise.resolve(key === hash ? booked.map(txHash) : []),
  })
  const kinds = async (network: ServedNetwork): Promise<readonly string[]> =>
    (await readMovements(network, payment)).map(({ kind }) => kind)

  test('what is booked and adds up to what the escrow says is all of it, and no block is walked', async () => {
    const node = narrowNode(head, at, 500n, { logs: [authorized, captured], state: [1n, 40n, 60n] })
    expect(await kinds(served(node, ['1', '2']))).toEqual(['authorized', 'captured'])
    expect(node.asked).toBeLessThan(10)
  })

  test('what is not booked yet is walked to, and no further', async () => {
    const node = narrowNode(head, at, 500n, { logs: [authorized, captured, voided], state: [1n, 0n, 60n] })
    expect(await kinds(served(node, ['2', '1']))).toEqual(['authorized', 'captured', 'voided'])
    expect(node.asked).toBeLessThan(20)
  })

  test('what is booked and not on the chain counts for nothing, and neither does a sum that leaves something out', async () => {
    const gone = narrowNode(head, at, 500n, { logs: [authorized], state: [1n, 100n, 0n] })
    expect(await kinds(served(gone, ['1', '2']))).toEqual(['authorized'])
    const missing = narrowNode(head, at, 500n, { logs: [authorized, captured], state: [1n, 40n, 60n] })
    await expect(kinds(served(missing, ['1']))).rejects.toThrow('CHAIN_UNAVAILABLE')
  })

  test('a capture is found by its order as well', async () => {
    const node = narrowNode(head, at, 500n, { logs: [authorized, captured], state: [1n, 40n, 60n] })
    const network = served(node, ['1', '2'])
    const order = { kind: 'capture', payment: { ...payment, maxAmount: 100n }, amount: { atomic: 60n } }
    expect(await findOrder(network, order as RailOrder)).toMatchObject({ state: 'landed', txHash: txHash('2') })
    expect(node.asked).toBeLessThan(10)
  })

  test('a refund that is new is found although nothing of its payment is booked', async () => {
    const node = narrowNode(head, at, 500n, { logs: [authorized, captured, voided], state: [1n, 0n, 60n] })
    const order = { kind: 'void', payment: { ...payment, maxAmount: 100n }, amount: { atomic: 40n } }
    expect(await findOrder(served(node, []), order as RailOrder)).toMatchObject({
      state: 'landed',
      txHash: txHash('3'),
    })
    expect(node.asked).toBeLessThan(20)
  })
})
