import { lowerAddress, type Address, type Hex } from '@ergon/protocols'
import { getContractAddress } from 'viem'
import type { ChainHand } from './chain-hand.ts'

/** How many of the newest transactions of the account are looked at. */
const lookBack = 100n

/**
 * The newest contract of the account that is what this creation would make. An address follows from the account and
 * its count of transactions, so a deployment whose answer was lost is found without its hash.
 */
export async function deployedBefore(hand: ChainHand, creation: Hex): Promise<Address | undefined> {
  const { account, reader } = hand
  const count = BigInt(await hand.settled())
  // The conditions are in the code: asked without sending, a creation answers what it would leave on the chain.
  const { data: code } = await reader.call({ account, data: creation })
  const last = count > lookBack ? count - lookBack : 0n
  for (let nonce = count - 1n; nonce >= last; nonce -= 1n) {
    const address = getContractAddress({ from: account.address, nonce })
    if (code !== undefined && (await reader.getCode({ address })) === code) return lowerAddress(address)
  }
  return undefined
}
