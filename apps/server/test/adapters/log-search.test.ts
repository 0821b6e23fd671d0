import type { ExpectedEvent } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createLogSearch } from '../../src/adapters/chain/log-search.ts'
import type { Rpc, RpcAnswer } from '../../src/adapters/chain/rpc.ts'

/** A node of a long chain that answers narrow ranges only: a block every two seconds up to the given moment. */
function narrowNode(head: bigint, at: Date, widest: bigint): Rpc & { asked: number } {
  const answer = ({ method, params: [param] }: { method: string; params: readonly unknown[] }): RpcAnswer => {
    node.asked += 1
    if (method === 'eth_blockNumber') return { result: `0x${head.toString(16)}` }
    if (method === 'eth_getBlockByNumber')
      return {
        result: { timestamp: `0x${(BigInt(at.getTime() / 1_000) - (head - BigInt(String(param))) * 2n).toString(16)}` },
      }
    const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string } // what the search asks for
    const isNarrow = toBlock !== 'latest' && BigInt(toBlock) - BigInt(fromBlock) < widest
    return isNarrow ? { result: [] } : { error: { code: -32_005, message: 'range too wide' } }
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
  expect(await createLogSearch(node).all(expected, () => true)).toEqual([])
})
