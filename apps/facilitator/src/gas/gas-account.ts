import type { Address } from '@ergon/protocols'
import type { RpcClient } from '../chain/rpc-client.ts'
import { remembered } from '../surroundings/remembered.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** The account that sends on one network and pays the gas, in its native coin. */
export type GasAccount = {
  readonly address: Address
  /** Wei, a few seconds old at most; undefined when the node does not tell. */
  balance(): Promise<bigint | undefined>
}

const rememberMs = 5_000

export function createGasAccount(rpc: RpcClient, address: Address, surroundings: Surroundings): GasAccount {
  const balance = remembered(surroundings, rememberMs, async () => {
    const [answer] = await rpc.batch([{ method: 'eth_getBalance', params: [address, 'latest'] }]).catch(() => [])
    return typeof answer?.result === 'string' ? BigInt(answer.result) : undefined
  })
  return { address, balance }
}
