import { describe, expect, test } from 'vitest'
import { isDeclined } from './declined.ts'
import { hearWallet, readAccounts } from './hear-wallet.ts'
import { chainOf, readChainId, switchChain } from './wallet-chain.ts'

type Asked = { readonly method: string; readonly params?: unknown }

/** A wallet that knows some chains, as EIP-3326 and EIP-3085 say it answers. */
function walletOn(
  chainId: number,
  knows: readonly number[],
  unknownChain: unknown = { code: 4902 },
): { readonly asked: Asked[]; request: (call: Asked) => Promise<unknown> } {
  const asked: Asked[] = []
  const known = new Set(knows)
  let now = chainId
  return {
    asked,
    async request(call) {
      asked.push(call)
      const [given] = (call.params ?? []) as readonly { readonly chainId: string }[]
      if (call.method === 'eth_chainId') return `0x${now.toString(16)}`
      if (call.method === 'wallet_addEthereumChain') known.add(Number(given?.chainId))
      else if (!known.has(Number(given?.chainId))) throw unknownChain
      else now = Number(given?.chainId)
      return null
    },
  }
}

describe('a wallet on another chain', () => {
  test('is asked to switch to the one that is needed', async () => {
    const wallet = walletOn(1, [1, 8_453])
    await switchChain(wallet, 8_453)
    expect(await chainOf(wallet)).toBe(8_453)
    expect(wallet.asked[0]).toEqual({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] })
  })

  test.each([[{ code: 4902 }], [{ code: -32_603, data: { originalError: { code: 4902 } } }]])(
    'is told of one that it does not know, and then is on it: %j',
    async (said) => {
      const wallet = walletOn(1, [1], said)
      await switchChain(wallet, 8_453)
      expect(await chainOf(wallet)).toBe(8_453)
      expect(wallet.asked.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toEqual([
        {
          chainId: '0x2105',
          chainName: 'Base',
          rpcUrls: ['https://mainnet.base.org'],
          nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
          blockExplorerUrls: ['https://basescan.org'],
        },
      ])
    },
  )

  test('says why it does not switch, and nothing is added after a no', async () => {
    const no = { code: 4001, message: 'User rejected the request.' }
    const wallet = walletOn(1, [1], no)
    await expect(switchChain(wallet, 8_453)).rejects.toBe(no)
    expect(wallet.asked.map(({ method }) => method)).toEqual(['wallet_switchEthereumChain'])
    // The app cannot know where a chain on a person's own machine is.
    await expect(switchChain(walletOn(1, [1]), 31_337)).rejects.toEqual({ code: 4902 })
  })
})

test('a no is told from a failure, however the wallet wraps it', () => {
  for (const no of [
    { code: 4001 },
    { code: 5000 },
    { code: 'ACTION_REJECTED' },
    { code: -32_603, data: { code: 4001 } },
    new Error('x', { cause: { code: 4001 } }),
  ])
    expect(isDeclined(no)).toBe(true)
  for (const failure of [
    undefined,
    null,
    'no',
    new Error('locked'),
    { code: -32_603, message: 'Internal error' },
    { code: 4902 },
  ])
    expect(isDeclined(failure)).toBe(false)
})

test('what a wallet says about itself is read as far as it is what it should be', async () => {
  expect([
    readChainId('0x2105'),
    readChainId(10),
    readChainId('8453'),
    readChainId('0x'),
    readChainId(null),
    readChainId(-1),
  ]).toEqual([8_453, 10, undefined, undefined, undefined, undefined])
  expect([readAccounts(['0xAB']), readAccounts([]), readAccounts('0xAB'), readAccounts([1])]).toEqual([
    ['0xab'],
    [],
    undefined,
    undefined,
  ])
  expect(await chainOf({ request: () => Promise.reject(new Error('no such method')) })).toBeUndefined()
})

test('changes of a wallet are heard until nobody listens, and one that tells none is no fault', () => {
  const listeners = new Set<(said: unknown) => void>()
  const heard: unknown[] = []
  const wallet = {
    request: () => Promise.resolve(null),
    on: (_: string, one: (said: unknown) => void) => listeners.add(one),
    removeListener: (_: string, one: (said: unknown) => void) => listeners.delete(one),
  }
  const end = hearWallet(wallet, 'chainChanged', (said) => {
    heard.push(said)
  })
  for (const one of listeners) one('0x1')
  end()
  expect([heard, listeners.size]).toEqual([['0x1'], 0])
  hearWallet({ request: () => Promise.resolve(null) }, 'chainChanged', () => undefined)()
})
