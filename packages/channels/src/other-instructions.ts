import { concatBytes, fromBase58, ProtocolError, utf8 } from '@ergon/protocols'
import {
  addressBytes,
  associatedTokenAccount,
  associatedTokenProgram,
  computeBudgetProgram,
  ed25519Program,
  memoProgram,
  systemProgram,
  tokenProgram,
} from './addresses.ts'
import { readonly, signer, writable, writableSigner, type Instruction } from './instruction.ts'
import { u16, u32, u64 } from './little-endian.ts'
import { encodeVoucher, type Voucher } from './voucher.ts'

/** Where its parts begin in the data of the precompile. */
const parts = { key: 16, signature: 48, message: 112 }
/** Says that a part is in this very instruction. */
const here = u16(0xffff)

/**
 * Asks the Ed25519 precompile for a voucher's signature; it has to come just before the instruction that settles.
 *
 * @param signature base58. @throws ProtocolError
 */
export function voucherProofInstruction(voucher: Voucher, signature: string, signerAddress: string): Instruction {
  const message = encodeVoucher(voucher)
  const proof = fromBase58(signature)
  if (proof.length !== 64) throw new ProtocolError('malformed', 'a signature is 64 bytes in base58')
  const offsets = [u16(parts.signature), here, u16(parts.key), here, u16(parts.message), u16(message.length), here]
  const data = concatBytes(Uint8Array.of(1, 0), ...offsets, addressBytes(signerAddress), proof, message)
  return { program: ed25519Program, accounts: [], data }
}

/** Makes the associated token account of an owner where it is missing. */
export function createTokenAccountInstruction(terms: {
  readonly funder: string
  readonly owner: string
  readonly mint: string
  readonly tokenProgram?: string
}): Instruction {
  const tokens = terms.tokenProgram ?? tokenProgram
  return {
    program: associatedTokenProgram,
    accounts: [
      writableSigner(terms.funder),
      writable(associatedTokenAccount(terms.owner, terms.mint, tokens)),
      ...[terms.owner, terms.mint, systemProgram, tokens].map(readonly),
    ],
    data: Uint8Array.of(1),
  }
}

/** Moves tokens between the associated accounts of two owners, with the mint and its decimals checked. */
export function transferTokensInstruction(terms: {
  readonly from: string
  readonly to: string
  readonly mint: string
  /** Atomic units. */
  readonly amount: bigint
  readonly decimals: number
  readonly tokenProgram?: string
}): Instruction {
  const tokens = terms.tokenProgram ?? tokenProgram
  const [source, target] = [terms.from, terms.to].map((owner) => associatedTokenAccount(owner, terms.mint, tokens))
  return {
    program: tokens,
    accounts: [writable(source ?? ''), readonly(terms.mint), writable(target ?? ''), signer(terms.from)],
    data: concatBytes(Uint8Array.of(12), u64(terms.amount), Uint8Array.of(terms.decimals)),
  }
}

/** The most compute units a transaction may use. */
export function computeLimitInstruction(units: number): Instruction {
  return { program: computeBudgetProgram, accounts: [], data: concatBytes(Uint8Array.of(2), u32(units)) }
}

/** The priority fee, in millionths of a lamport for each compute unit. */
export function computePriceInstruction(microLamports: bigint): Instruction {
  return { program: computeBudgetProgram, accounts: [], data: concatBytes(Uint8Array.of(3), u64(microLamports)) }
}

/** A note that makes two transactions of the same content differ. */
export function memoInstruction(text: string): Instruction {
  return { program: memoProgram, accounts: [], data: utf8(text) }
}
