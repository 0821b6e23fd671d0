import { ed25519KeyOf, toBase58 } from '@ergon/protocols'
import {
  channelAddress,
  mainnetChannelProgram,
  openInstruction,
  signTransaction,
  unsignedTransaction,
  type AgreedOpen,
  type Instruction,
  type OpenTerms,
  type Transaction,
} from '../src/index.ts'

export const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
/** 32 bytes that need not be a key. */
export const place = (byte: number): string => toBase58(filled(byte))

/** The address of the key whose seed is that byte, 32 times. */
export const keyOf = (byte: number): string => toBase58(ed25519KeyOf(filled(byte)))

export const [operator, buyer, worker, voucherKey] = [1, 2, 3, 4].map(keyOf) as [string, string, string, string]
export const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const blockhash = place(77)

export const terms: OpenTerms = {
  payer: buyer,
  rentPayer: operator,
  payee: operator,
  mint: usdc,
  authorizedSigner: voucherKey,
  salt: 42n,
  deposit: 5_000_000n,
  gracePeriodSec: 900,
  openSlot: 1_000n,
  splits: [{ recipient: worker, bps: 8_700 }],
}

export const agreed: AgreedOpen = {
  channelProgram: mainnetChannelProgram,
  payer: buyer,
  payee: operator,
  mint: usdc,
  authorizedSigner: voucherKey,
  operator,
  gracePeriodSec: 900,
  splits: terms.splits,
  leastDeposit: 1_000_000n,
  mostDeposit: 10_000_000n,
  slot: 1_100n,
  blockhash,
  mostPriorityLamports: 10_000n,
}

export const channelId = channelAddress(terms, mainnetChannelProgram).address
export const open = openInstruction(terms, agreed)

/** A transaction of these instructions, signed by the buyer. */
export function signedByBuyer(
  instructions: readonly Instruction[],
  feePayer = operator,
  hash = blockhash,
): Transaction {
  const seeds = new Map([1, 2, 3, 4].map((byte) => [keyOf(byte), filled(byte)]))
  seeds.delete(operator)
  return signTransaction(unsignedTransaction(feePayer, hash, instructions), seeds)
}
