import { NoAnswer } from '@ergon/chain-rpc'
import { addressTopic, eventTopic, type Address } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { Unavailable } from '../../src/errors.ts'
import { readTotalSupply } from '../../src/identity/reads.ts'
import { createOwnedAgents } from '../../src/identity/owned-agents.ts'
import type { RegistryTarget } from '../../src/identity/network.ts'
import type { RpcAnswer, RpcRequest } from '../../src/chain/rpc-client.ts'
import { account, addresses } from '../../src/testing/payments.ts'
import { platform } from '../../src/surroundings/platform.ts'

const identity = '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'
const owner = account(3).address.toLowerCase() as Address // an address
const [balanceOf, ownerOf] = ['0x70a08231', '0x6352211e']
const word = (value: bigint | number): string => `0x${BigInt(value).toString(16).padStart(64, '0')}`

/** What a registry says: whose which agents are, and all that were ever sent to the wallet. */
type Said = { readonly count: bigint; readonly sent: readonly number[]; readonly isOwned: (id: number) => boolean }

function registryOf({ count, sent, isOwned }: Said) {
  const asked = { owners: 0, requests: 0, logs: 0 }
  let hold = Promise.resolve()
  const logs = sent.map((id, index) => ({
    address: identity,
    topics: [eventTopic('Transfer'), word(0), addressTopic(owner), word(id)],
    data: '0x',
    transactionHash: word(index + 1),
    blockNumber: word(index + 1),
    logIndex: '0x0',
  }))
  const answer = ({ method, params: [param] }: RpcRequest): RpcAnswer => {
    if (method === 'eth_getLogs') {
      asked.logs += 1
      return { result: logs }
    }
    const { data } = param as { readonly data: string } // an eth_call
    if (data.startsWith(balanceOf)) return { result: word(count) }
    expect(data.slice(0, 10)).toBe(ownerOf)
    asked.owners += 1
    return { result: addressTopic(isOwned(Number(`0x${data.slice(10)}`)) ? owner : addresses.operator) }
  }
  const rpc = {
    async batch(requests: readonly RpcRequest[]) {
      asked.requests += 1
      if (requests[0]?.method === 'eth_getLogs') await hold
      return requests.map(answer)
    },
    call: () => Promise.reject(new Error('nothing else is asked')),
  }
  return {
    asked,
    /** Logs are not answered until the answer is called. */
    holdLogs(): () => void {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      hold = promise
      return () => {
        resolve(undefined)
      }
    },
    // What a lookup reads of a network.
    target: { network: { chainId: 1, rpc }, registries: { identity }, name: 'localnet' } as unknown as RegistryTarget,
  }
}

const range = (length: number): number[] => Array.from({ length }, (_, id) => id)

/** An answer larger than the caller reads, as the client of the nodes tells it. */
const tooLarge = () =>
  new Unavailable('rpc_unavailable', 'too large', { cause: new NoAnswer('too large', { isTooLarge: true }) })

describe('the agents of a wallet', () => {
  test('where logs are more than is read at once, narrower ranges are asked for, of 4 MiB each', async () => {
    const { target } = registryOf({ count: 1n, sent: [5], isOwned: () => true })
    const { rpc } = target.network
    const [limits, ranges]: [unknown[], string[]] = [[], []]
    Object.assign(rpc, {
      call: (method: string) => Promise.resolve(method === 'eth_blockNumber' ? word(30_000) : null),
      batch: ((ask) => async (requests: readonly RpcRequest[], limit?: object) => {
        const [{ method, params }] = requests as readonly [RpcRequest]
        if (method !== 'eth_getLogs') return ask(requests)
        const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string } // ours
        limits.push(limit)
        ranges.push(`${Number(fromBlock)} ${toBlock === 'latest' ? toBlock : Number(toBlock)}`)
        if (Number(fromBlock) > 20_000) return requests.map(() => ({ result: [] }))
        return toBlock === 'latest' ? Promise.reject(tooLarge()) : ask(requests)
      })(rpc.batch.bind(rpc)),
    })
    expect(await createOwnedAgents(platform).of(target, owner)).toEqual({ ids: [5n], count: 1 })
    expect(ranges).toEqual(['0 latest', '21001 30000', '12001 21000'])
    expect(limits).toEqual(Array.from({ length: 3 }, () => ({ maxBytes: 4_194_304 })))
  })

  test('a node that is away is no narrow one: it is not asked again, and nothing is known', async () => {
    const { target } = registryOf({ count: 1n, sent: [5], isOwned: () => true })
    const { rpc } = target.network
    const away = new Unavailable('rpc_unavailable', 'away', { cause: new NoAnswer('away') })
    let asked = 0
    Object.assign(rpc, {
      batch: ((ask) => (requests: readonly RpcRequest[]) => {
        if (requests[0]?.method !== 'eth_getLogs') return ask(requests)
        asked += 1
        return Promise.reject(away)
      })(rpc.batch.bind(rpc)),
    })
    await expect(createOwnedAgents(platform).of(target, owner)).rejects.toBe(away)
    expect(asked).toBe(1)
  })

  test('whoever is sent five thousand by strangers is told the hundred lowest, of a thousand that are asked about', async () => {
    const { asked, target } = registryOf({ count: 5_000n, sent: range(5_000), isOwned: () => true })
    const { ids, count } = await createOwnedAgents(platform).of(target, owner)
    expect(ids).toEqual(range(100).map(BigInt))
    expect(count).toBe(5_000)
    expect(asked).toEqual({ owners: 1_000, requests: 12, logs: 1 })
  })

  test('what it passed on is not its own, and each is asked about once', async () => {
    const { asked, target } = registryOf({ count: 1n, sent: [7, 3, 7, 5], isOwned: (id) => id === 5 })
    expect(await createOwnedAgents(platform).of(target, owner)).toEqual({ ids: [5n], count: 1 })
    expect(asked.owners).toBe(3)
  })

  test.each([
    ['shows none of them', []],
    ['shows what it passed on alone', [4]],
  ])('a log that %s where the registry counts one is unknown, not none', async (_, sent) => {
    const { target } = registryOf({ count: 1n, sent, isOwned: () => false })
    await expect(createOwnedAgents(platform).of(target, owner)).rejects.toMatchObject({
      name: 'Unavailable',
      code: 'rpc_unavailable',
      details: { broadcast: false },
    })
  })

  test('two searches run at a time, one for each wallet; a third is asked to come again', async () => {
    const { asked, target, holdLogs } = registryOf({ count: 1n, sent: [5], isOwned: () => true })
    const owned = createOwnedAgents(platform)
    const release = holdLogs()
    const first = [owner, owner, account(4).address].map((one) => owned.of(target, one))
    await expect.poll(() => asked.requests).toBe(5)
    await expect(owned.of(target, account(5).address)).rejects.toThrow('other searches are under way')
    release()
    await Promise.allSettled(first)
    expect(asked.logs).toBe(2)
    expect(await owned.of(target, owner)).toEqual({ ids: [5n], count: 1 })
  })

  test('a search that takes long goes on, and whoever asks meanwhile does not wait for it', async () => {
    const waiting: (() => void)[] = []
    const after = (_: number, run: () => void): (() => void) => {
      waiting.push(run)
      return () => undefined
    }
    const { asked, target, holdLogs } = registryOf({ count: 1n, sent: [5], isOwned: () => true })
    const owned = createOwnedAgents({ after })
    const release = holdLogs()
    const late = owned.of(target, owner)
    await expect.poll(() => waiting.length).toBe(1)
    waiting[0]?.()
    await expect(late).rejects.toThrow('is being searched')
    const joined = owned.of(target, owner)
    await expect.poll(() => waiting.length).toBe(2)
    release()
    expect(await joined).toEqual({ ids: [5n], count: 1 })
    expect(asked.logs).toBe(1)
  })
})

test.each([0, 1, 2, 3, 16, 17, 18, 1_000, 123_456, 9_999_999])(
  'a registry of %i agents is counted in seven requests at most',
  async (count) => {
    const { target } = registryOf({ count: 0n, sent: [], isOwned: () => true })
    let requests = 0
    const batch = (calls: readonly RpcRequest[]): Promise<RpcAnswer[]> => {
      requests += 1
      const idOf = ({ params: [param] }: RpcRequest): number =>
        Number(`0x${(param as { data: string }).data.slice(10)}`) // an eth_call
      const gone = { error: { code: 3, message: 'execution reverted', data: `0x7e273289${word(0).slice(2)}` } }
      return Promise.resolve(calls.map((call) => (idOf(call) < count ? { result: addressTopic(owner) } : gone)))
    }
    const network = { ...target.network, registries: target.registries, rpc: { ...target.network.rpc, batch } }
    // All it reads of them.
    const networks = { find: () => network } as unknown as Parameters<typeof readTotalSupply>[1]
    expect(await readTotalSupply('localnet', networks)).toEqual({ totalSupply: String(count), network: 'localnet' })
    expect(requests).toBeLessThanOrEqual(7)
  },
)
