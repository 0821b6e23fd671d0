import { tokenAbi, type Address } from '@ergon/protocols'
import type { PublicClient } from 'viem'

/** Who takes part in the job, by name. */
export type Parties = {
  readonly payer: Address
  readonly worker: Address
  readonly treasury: Address
  readonly operator: Address
}
/** What the chain says they hold. */
export type Balances = {
  readonly usd: Readonly<Record<keyof Parties, bigint>>
  readonly wei: Readonly<Record<'payer' | 'worker', bigint>>
}

/** Reads every balance at one block. */
export async function readBalances(chain: PublicClient, token: Address, parties: Parties): Promise<Balances> {
  const blockNumber = await chain.getBlockNumber({ cacheTime: 0 })
  const usd = (account: Address): Promise<bigint> =>
    chain.readContract({ abi: tokenAbi, address: token, functionName: 'balanceOf', args: [account], blockNumber })
  const wei = (address: Address): Promise<bigint> => chain.getBalance({ address, blockNumber })
  const [payer, worker, treasury, operator, payerWei, workerWei] = await Promise.all([
    usd(parties.payer),
    usd(parties.worker),
    usd(parties.treasury),
    usd(parties.operator),
    wei(parties.payer),
    wei(parties.worker),
  ])
  return { usd: { payer, worker, treasury, operator }, wei: { payer: payerWei, worker: workerWei } }
}
