import { toBase58 } from '@ergon/protocols'
import { addressBytes, associatedTokenAccount, tokenProgram } from './addresses.ts'
import type { LedgerAccount } from './ledger.ts'

/** What a token account is to its owner: a frozen or foreign one takes nothing. */
export type TokenAccount =
  | { readonly state: 'missing' | 'foreign' | 'frozen' }
  /** Atomic units. */
  | { readonly state: 'usable'; readonly amount: bigint }

const leastLength = 165
const frozen = 2

/** Reads the associated account of an owner. Its owner may have given it away: then it is foreign. */
export async function readTokenAccount(
  ledger: { account(address: string): Promise<LedgerAccount | null> },
  owner: string,
  mint: string,
): Promise<TokenAccount> {
  const account = await ledger.account(associatedTokenAccount(owner, mint))
  if (account === null) return { state: 'missing' }
  const { data } = account
  const isToken = account.owner === tokenProgram && data.length >= leastLength && data[108] !== 0
  if (!isToken || !isAt(data, 0, mint) || !isAt(data, 32, owner)) return { state: 'foreign' }
  if (data[108] === frozen) return { state: 'frozen' }
  return { state: 'usable', amount: new DataView(data.buffer, data.byteOffset).getBigUint64(64, true) }
}

function isAt(data: Uint8Array, at: number, address: string): boolean {
  return toBase58(data.subarray(at, at + 32)) === toBase58(addressBytes(address))
}
