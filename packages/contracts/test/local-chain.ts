import { afterAll, beforeAll } from 'vitest'
import { deployLocalnet } from '../src/index.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { createChain, type TestChain } from './chain.ts'
import { payer } from './payment.ts'

const payerAtomic = 1_000_000_000_000n

/** Gives a test file a chain of its own with the contracts on it and a payer who has money. */
export function useLocalChain(): () => TestChain {
  let anvil: Anvil | undefined
  let chain: TestChain | undefined
  beforeAll(async () => {
    anvil = await startAnvil()
    await deployLocalnet(anvil.rpcUrl)
    chain = await createChain(anvil.rpcUrl)
    await chain.mint(payer.address, payerAtomic)
  })
  afterAll(async () => {
    await anvil?.[Symbol.asyncDispose]()
  })
  return () => {
    if (chain === undefined) throw new Error('The chain is ready inside tests only.')
    return chain
  }
}
