import { word } from './abi-words.ts'
import { localRoles } from './local-accounts.ts'
import { sendLocalTransactions } from './local-transaction.ts'
import { localAddresses } from './localnet.ts'

const mintGas = 120_000

/** Gives an account test dollars, `amountAtomic` millionths of them, and returns when they are there. */
export async function mintTestUsd(rpcUrl: string, to: `0x${string}`, amountAtomic: bigint): Promise<void> {
  // mint(address,uint256)
  const data = `0x40c10f19${word(to)}${word(amountAtomic)}` as const
  await sendLocalTransactions(rpcUrl, [
    { from: localRoles.deployer.address, to: localAddresses.TestUSD, data, gas: mintGas },
  ])
}
