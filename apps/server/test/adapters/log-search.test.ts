import type { Payment, RailOrder } from '@ergon/core'
import { eventTopic, networks, type ExpectedEvent, type Hex, type ProofEventName } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createChainReader } from '../../src/adapters/chain/chain-reader.ts'
import { createLogSearch, type ChainLog } from '../../src/adapters/chain/log-search.ts'
import { RpcFault, type Rpc, type RpcAnswer } from '../../src/adapters/chain/rpc.ts'
import { createStoppedWalks } from '@ergon/chain-rpc'
import type { ServedNetwork } from '../../src/adapters/networks.ts'
import { findOrder } from '../../src/adapters/rails/find-order.ts'
import { readMovements } from '../../src/adapters/rails/movements.ts'

type Raw = Readonly<Record<'address' | 'data' | 'transactionHash' | 'blockNumber' | 'logIndex', string>> & {
  readonly topics: readonly string[]
}

/** What a chain has: logs, and what its escrow says about a payment. */
type Content = { readonly logs?: readonly Raw[]; readonly state?: readonly bigint[] }

/** A node of a long chain that answers narrow ranges only: a block every two seconds up to the given moment. */
function narrowNode(
  head: bigint,
  at: Date,
  widest: bigint,
  { logs = [], state = [] }: Content = {},
): Rpc & { asked: number; left: number } {
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
    /** So many questions it still answers. */
    left: Infinity,
    batch(calls: Parameters<Rpc['batch']>[0]) {
      node.left -= 1
      return node.left < 0 ? Promise.reject(new RpcFault('gone')) : Promise.resolve(calls.map(answer))
    },
    read: (method: string, params: readonly unknown[]) => Promise.resolve(answer({ method, params }).result),
    chainIds: () => Promise.resolve([31_337]),
    [Symbol.dispose]: () => undefined,
  }
  return node
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

/** A log of what is looked for below, in this block. */
const rawAt = (block: bigint): Raw => ({
  address: expected.emitter,
  topics: [...expected.events],
  data: '0x',
  transactionHash: `0x${word(block)}`,
  blockNumber: `0x${block.toString(16)}`,
  logIndex: '0x0',
})

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

test('asked again it goes on from where it stopped, and says that there is none when the whole chain is walked', async () => {
  // Three thousand windows: twice it cannot tell, the third time it can.
  const node = narrowNode(3_000_000n, at, 1_000n)
  const search = createLogSearch(node)
  await expect(search.newest(expected)).rejects.toThrow('further back')
  await expect(search.newest(expected)).rejects.toThrow('further back')
  const asked = node.asked
  expect(await search.newest(expected)).toBeUndefined()
  expect(node.asked - asked).toBeLessThan(1_100)
  // It begins anew, when it has told.
  await expect(search.newest(expected)).rejects.toThrow('further back')
})

test('what became of the newest blocks is read anew when a search goes on', async () => {
  const [head, deep, undone] = [2_000_000n, rawAt(5n), rawAt(1_999_900n)]
  const logs = [deep, undone]
  const node = narrowNode(head, at, 1_000n, { logs })
  const search = createLogSearch(node)
  const isDone = (): boolean => false
  await expect(search.all(expected, isDone)).rejects.toThrow('further back')
  const replacing = rawAt(1_999_950n)
  logs.splice(1, 1, replacing)
  expect((await search.all(expected, isDone)).map(({ transactionHash }) => transactionHash)).toEqual([
    deep.transactionHash,
    replacing.transactionHash,
  ])
})

test('a search that its node breaks off goes on as well, and loses nothing by that', async () => {
  const node = narrowNode(3_000_000n, at, 1_000n)
  const search = createLogSearch(node)
  const brokenOff = async (after: number): Promise<void> => {
    node.left = after
    await expect(search.newest(expected)).rejects.toThrow('gone')
    node.left = Infinity
  }
  await brokenOff(1_000)
  await brokenOff(1_000)
  await brokenOff(0)
  await brokenOff(1)
  expect(await search.newest(expected)).toBeUndefined()
})

test('of two searches for the same at a time, the one that began anew undoes nothing of the other', () => {
  const walks = createStoppedWalks()
  walks.keep('one', { low: 10n, top: 90_000n, logs: [] })
  walks.keep('one', { low: 80_000n, top: 90_100n, logs: [] })
  expect(walks.find('one')).toEqual({ low: 10n, top: 90_100n, logs: [] })
  // Between these two there may be a log that neither saw.
  walks.keep('one', { low: 90_000n, top: 99_000n, logs: [] })
  expect(walks.find('one')).toEqual({ low: 90_000n, top: 99_000n, logs: [] })
})

test('of a thousand walks that have stopped, and twenty thousand logs, the oldest is forgotten', () => {
  const walks = createStoppedWalks()
  const walked = { low: 1n, top: 1n, logs: [] }
  for (let count = 0; count < 1_001; count += 1) walks.keep(String(count), walked)
  expect([walks.find('0'), walks.find('1')]).toEqual([undefined, walked])
  walks.keep('2', { ...walked, logs: Array<ChainLog>(20_001) })
  expect([walks.find('1'), walks.find('2'), walks.find('1000')]).toEqual([undefined, undefined, undefined])
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

  test('a capture of a payment of which nothing is booked is found in the end, a part of the way at each turn', async () => {
    const node = narrowNode(head, at, 500n, { logs: [authorized, captured], state: [1n, 40n, 60n] })
    const network = served(node, [])
    const order = { kind: 'capture', payment: { ...payment, maxAmount: 100n }, amount: { atomic: 60n } }
    let turns = 0
    const turn = async (): Promise<unknown> => {
      turns += 1
      const before = node.asked
      try {
        return await findOrder(network, order as RailOrder)
      } catch (error) {
        expect(error).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
        return undefined
      } finally {
        expect(node.asked - before).toBeLessThan(1_100)
      }
    }
    let found = await turn()
    while (found === undefined && turns < 100) found = await turn()
    expect(found).toMatchObject({ state: 'landed', txHash: txHash('2') })
    expect(turns).toBeGreaterThan(50)
  })

  test('a signature that was withdrawn is looked for no further than where that was', async () => {
    const nonce: Hex = `0x${'b'.repeat(64)}`
    const [token, from] = [row.tokens['USDC']?.address ?? '', `0x${'c'.repeat(40)}`]
    const withdrawn: Raw = {
      ...captured,
      address: token,
      topics: [eventTopic('AuthorizationCanceled'), `0x${'0'.repeat(24)}${from.slice(2)}`, nonce],
      blockNumber: `0x${(head - 900n).toString(16)}`,
    }
    const node = narrowNode(head, at, 500n, { logs: [withdrawn], state: [1n] })
    const transfer = { token, from, to: from, nonce, amount: { asset: { symbol: 'USDC' }, atomic: 60n } }
    const order = { kind: 'charge', transfer } as RailOrder // nothing else of it is read
    expect(await findOrder(served(node, []), order)).toEqual({ state: 'absent', isDead: true })
    expect(node.asked).toBeLessThan(20)
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

test('a node that answers for the whole chain again is found out to, and stays asked so', async () => {
  let [isNarrow, asked] = [true, 0]
  const batch: Rpc['batch'] = ([call]) => {
    asked += 1
    const { toBlock } = call?.params[0] as { readonly toBlock: string } // what the search asks for
    return Promise.resolve([
      isNarrow && toBlock === 'latest' ? { error: { code: 1, message: 'wide' } } : { result: [] },
    ])
  }
  const read = (): Promise<unknown> => Promise.resolve('0x61a8')
  const search = createLogSearch({ ...narrowNode(25_000n, new Date(0), 1n), batch, read })
  const look = async (): Promise<number> => {
    const before = asked
    await search.newest({ emitter: `0x${'11'.repeat(20)}`, events: [eventTopic('Transfer')], indexed: [] })
    return asked - before
  }
  expect(await look()).toBe(4)
  isNarrow = false
  const costs: number[] = []
  for (let one = 0; one < 202; one += 1) costs.push(await look())
  expect([costs.indexOf(1), costs.lastIndexOf(3)]).toEqual([198, 197])
})
