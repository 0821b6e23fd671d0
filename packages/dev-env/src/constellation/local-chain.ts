import { deployLocalnet, localAddresses, localRoles, mintTestUsd } from '@ergon/contracts'
import { createPublicClient, http, parseAbi } from 'viem'
import { startChain } from '../chain/chain.ts'
import type { Chain, ChainOptions } from '../chain/chain.ts'

const STARTING_BALANCE_ATOMIC = 1_000_000_000n
const balanceOf = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

/** The chain with the contracts in place and the test wallets funded. What is there already stays as it is. */
export async function startLocalChain(options: ChainOptions): Promise<Chain> {
  const chain = await startChain(options)
  try {
    await deployLocalnet(chain.rpcUrl)
    await fundWallets(chain.rpcUrl)
    return chain
  } catch (error) {
    await chain.kill()
    throw error
  }
}

async function fundWallets(rpcUrl: string): Promise<void> {
  const reader = createPublicClient({ transport: http(rpcUrl, { batch: true }) })
  const balances = await Promise.all(
    localRoles.wallets.map(({ address }) =>
      reader.readContract({
        abi: balanceOf,
        address: localAddresses.TestUSD,
        functionName: 'balanceOf',
        args: [address],
      }),
    ),
  )
  for (const [index, { address }] of localRoles.wallets.entries()) {
    if (balances[index] === 0n) await mintTestUsd(rpcUrl, address, STARTING_BALANCE_ATOMIC)
  }
}
