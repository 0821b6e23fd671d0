import { networks } from '@ergon/protocols'
import { arbitrum, avalanche, base, baseSepolia, celo, mainnet, monad, optimism, polygon } from 'viem/chains'
import { expect, test } from 'vitest'
import { publicNodes } from './public-nodes.ts'

/** A chain of one machine has no public node. */
const local = 31_337
const known = [mainnet, optimism, polygon, monad, base, arbitrum, celo, avalanche, baseSepolia]

test('every network that has a chain has a public node, and node and coin are those that viem names for it', () => {
  const served = Object.values(networks).flatMap(({ chainId }) =>
    chainId === undefined || chainId === local ? [] : [chainId],
  )
  expect(Object.keys(publicNodes).map(Number)).toEqual(served.toSorted((a, b) => a - b))
  expect(publicNodes).toEqual(
    Object.fromEntries(
      known.map(({ id, rpcUrls, nativeCurrency }) => [
        id,
        { url: rpcUrls.default.http[0], coin: nativeCurrency.symbol },
      ]),
    ),
  )
})
