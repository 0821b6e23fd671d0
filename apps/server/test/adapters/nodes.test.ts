import { startNodeProxy } from '@ergon/dev-env/testing'
import { networks } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdapters, type Adapters } from '../../src/adapters/index.ts'
import { createRpc } from '../../src/adapters/chain/rpc.ts'
import { authorizeOrder } from './orders.ts'
import { asset, payer, startRig, type Rig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

function behind(...rpcUrls: readonly string[]): Adapters {
  return createAdapters({ ...rig.settings, networks: [{ network: networks.localnet, rpcUrls }] })
}

const balance = (adapters: Adapters): Promise<bigint> => adapters.rails('localnet').balance(payer.address, asset)
const nowhere = 'http://127.0.0.1:1'

describe('the service asks several nodes of a network', () => {
  test('the second where the first is away, and where the first gives no answer in time', async () => {
    await using silent = await startNodeProxy(rig.chain.rpcUrl)
    const known = await balance(rig.adapters)
    await using adapters = behind(nowhere, rig.chain.rpcUrl)
    expect(await balance(adapters)).toBe(known)
    silent.stalls = 'before'
    await using others = behind(silent.url, rig.chain.rpcUrl)
    expect(await balance(others)).toBe(known)
    expect(await others.health()).toMatchObject({ chains: { localnet: true } })
  })

  test('and believes none that is of another chain', async () => {
    await using liar = await startNodeProxy(rig.chain.rpcUrl)
    liar.chainId = 5
    await using adapters = behind(liar.url)
    await expect(balance(adapters)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(liar.seen.flat()).not.toContain('eth_call')
    await using others = behind(liar.url, rig.chain.rpcUrl)
    expect(await balance(others)).toBe(await balance(rig.adapters))
  })

  test('and asks again where a node asks for patience', async () => {
    await using busy = await startNodeProxy(rig.chain.rpcUrl)
    busy.busy = 2
    await using adapters = behind(busy.url)
    expect(await balance(adapters)).toBe(await balance(rig.adapters))
  })
})

test('a node that takes one call at a time tells what an escrow holds', async () => {
  await using narrow = await startNodeProxy(rig.chain.rpcUrl)
  narrow.batchLimit = 1
  await using adapters = behind(narrow.url)
  const { payment } = await authorizeOrder(rig.adapters)
  expect(await adapters.rails('localnet').escrowState(payment)).toEqual(
    await rig.adapters.rails('localnet').escrowState(payment),
  )
})

test('an answer larger than the caller reads is told from no answer', async () => {
  using rpc = createRpc({ urls: [rig.chain.rpcUrl], chainId: 31_337 })
  const code = { method: 'eth_getCode', params: [networks.localnet.tokens['USDC']?.address, 'latest'] }
  await expect(rpc.batch([code], { maxBytes: 100 })).rejects.toMatchObject({ name: 'RpcFault', isTooLarge: true })
  await using second = await startNodeProxy(rig.chain.rpcUrl)
  const troubles: string[] = []
  using both = createRpc({
    urls: [rig.chain.rpcUrl, second.url],
    chainId: 31_337,
    onTrouble: (message) => {
      troubles.push(message)
    },
  })
  // What a stranger's contract answers is no fault of a node: no other one is asked, and none rests.
  await expect(both.batch([code], { maxBytes: 100 })).rejects.toMatchObject({ isTooLarge: true })
  expect([troubles, second.seen]).toEqual([[], []])
  using away = createRpc({ urls: [nowhere], chainId: 31_337 })
  await expect(away.batch([code])).rejects.toMatchObject({ name: 'RpcFault', isTooLarge: false })
})
