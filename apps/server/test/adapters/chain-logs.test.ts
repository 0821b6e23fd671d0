import { networks } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createChainReader } from '../../src/adapters/chain/chain-reader.ts'
import type { Rpc, RpcAnswer } from '../../src/adapters/chain/rpc.ts'
import { createChainLogs } from '../../src/adapters/rails/chain-logs.ts'
import type { FacilitatorClient } from '../../src/adapters/facilitator/facilitator-client.ts'
import { treasury } from './rig.ts'

/** A node that answers ranges of so many blocks at most, and has blocks up to its own head. */
function node(widest: bigint, head: bigint): Rpc & { readonly ranges: bigint[] } {
  const ranges: bigint[] = []
  const answer = ({ method, params: [param] }: { method: string; params: readonly unknown[] }): RpcAnswer => {
    if (method === 'eth_getBlockByNumber')
      return {
        result:
          param !== 'latest' && BigInt(String(param)) > head
            ? null
            : { number: param === 'latest' ? `0x${head.toString(16)}` : param, timestamp: '0x10' },
      }
    const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string } // what the reader asks for
    const width = BigInt(toBlock) - BigInt(fromBlock) + 1n
    ranges.push(width)
    return width > widest ? { error: { code: -32_005, message: 'range too wide' } } : { result: [] }
  }
  return {
    ranges,
    batch: (calls) => Promise.resolve(calls.map(answer)),
    read: (method, params) => Promise.resolve(answer({ method, params }).result),
    chainIds: () => Promise.resolve([31_337]),
    [Symbol.dispose]: () => undefined,
  }
}

function logsOf(rpc: Rpc) {
  const network = { row: networks.localnet, chainId: 31_337, rpc, chain: createChainReader(rpc, networks.localnet) }
  return createChainLogs({
    network,
    facilitator: {} as FacilitatorClient,
    treasuries: { of: () => Promise.resolve(treasury) },
  }) // the facilitator is not asked here
}

test('a node that refuses wide ranges is asked for as much as it answers, and the chain is read to its end', async () => {
  const rpc = node(100n, 3_000n)
  const logs = logsOf(rpc)
  let from = 1n
  for (let windows = 0; from <= 3_000n; windows += 1) {
    if (windows > 200) throw new Error('it is never at the end')
    const { through } = await logs.window(from, 3_000n, [])
    expect(through.number).toBeGreaterThanOrEqual(from)
    from = through.number + 1n
  }
  expect(from).toBe(3_001n)
  expect(rpc.ranges.length).toBeLessThan(500)
})

test('a node that has not the block yet says nothing of it, rather than that it is empty', async () => {
  await expect(logsOf(node(100n, 50n)).window(40n, 60n, [])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('a node that answers no range at all is unavailable', async () => {
  await expect(logsOf(node(0n, 50n)).window(40n, 50n, [])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
