import { associatedTokenAccount, tokenProgram, treasuryOwners } from '@ergon/channels'
import { localKeys, localMint } from './local-keys.ts'
import type { Machine } from './machine.ts'
import { mintData, mintLength, readMint, readTokenAccount, tokenAccountData, tokenAccountLength } from './token-data.ts'

export const mintDecimals = 6
const operatorLamports = 1_000_000_000_000n

/** The mint, the operator with money for fees, and the accounts that take its share and the dust. */
export function writeFirstState(machine: Machine): void {
  const { operator, mintAuthority } = localKeys
  const data = mintData({ authority: mintAuthority.address, decimals: mintDecimals, supply: 0n })
  machine.put(localMint, { owner: tokenProgram, data, lamports: machine.rentOf(BigInt(mintLength)) })
  machine.airdrop(operator.address, operatorLamports)
  for (const owner of [operator.address, treasuryOwners.localnet]) giveTokens(machine, owner, 0n)
}

/**
 * Mints tokens to the associated account of an owner, which is made where it is missing.
 *
 * @param amount atomic units.
 */
export function giveTokens(machine: Machine, owner: string, amount: bigint): void {
  const at = associatedTokenAccount(owner, localMint)
  const account = machine.account(at)
  const held = account === null || account.owner !== tokenProgram ? undefined : readTokenAccount(account.data)
  const data = tokenAccountData({ mint: localMint, owner, amount: (held?.amount ?? 0n) + amount })
  const lamports = account?.lamports ?? machine.rentOf(BigInt(tokenAccountLength))
  machine.put(at, { owner: tokenProgram, data, lamports })
  const mint = machine.account(localMint)
  const supply = mint === null ? undefined : readMint(mint.data)?.supply
  if (mint === null || supply === undefined) throw new Error('the embedded ledger has lost its mint')
  const authority = localKeys.mintAuthority.address
  const raised = mintData({ authority, decimals: mintDecimals, supply: supply + amount })
  machine.put(localMint, { owner: tokenProgram, data: raised, lamports: mint.lamports })
}
