import { ProtocolError } from '@ergon/protocols'
import {
  associatedTokenAccount,
  associatedTokenProgram,
  memoProgram,
  token2022Program,
  tokenProgram,
} from './addresses.ts'
import type { Instruction } from './instruction.ts'
import { readFields } from './little-endian.ts'
import {
  computeLimitInstruction,
  computePriceInstruction,
  createTokenAccountInstruction,
  transferTokensInstruction,
} from './other-instructions.ts'
import { decodeTransaction, hasSigned, unsignedTransaction, type Transaction } from './transaction.ts'

/** What a seller asks of an x402 `exact` payment on Solana. Addresses in base58. */
export type ExactTerms = {
  /** The facilitator's key: pays the fee, and is asked for nothing else. */
  readonly feePayer: string
  readonly payTo: string
  readonly mint: string
  readonly decimals: number
  /** Atomic units, exactly. */
  readonly amount: bigint
  /** Where the seller asks for one, the memo is this. */
  readonly memo?: string
}

/** The reasons of the `exact` scheme on Solana, as its clients know them, for the payments refused here. */
export type ExactFault =
  | 'invalid_exact_svm_fee_payer_mismatch'
  | `invalid_exact_svm_payload_${
      | 'transaction_could_not_be_decoded'
      | 'transaction_instructions_length'
      | 'transaction_instructions_compute_limit_instruction'
      | 'transaction_instructions_compute_limit_instruction_too_high'
      | 'transaction_instructions_compute_price_instruction'
      | 'transaction_instructions_compute_price_instruction_too_high'
      | 'no_transfer_instruction'
      | 'token_2022_not_supported'
      | 'transaction_fee_payer_transferring_funds'
      | 'amount_mismatch'
      | 'mint_mismatch'
      | 'recipient_mismatch'
      | 'unknown_fourth_instruction'
      | 'memo_mismatch'
      | 'excessive_signers'
      | 'signature_invalid'}`

/** A payment that is exactly what was asked, as its own bytes say; the facilitator's signature is missing. */
export type ExactPayment = {
  readonly payer: string
  /** Its payer makes the seller's token account where it is missing, and pays the rent. */
  readonly createsAccount: boolean
  readonly budget: ComputeBudget
  readonly transaction: Transaction
}

/** What a transaction may compute, and what it offers for priority in millionths of a lamport for each unit. */
export type ComputeBudget = { readonly units: number; readonly price: bigint }

/** The scheme's own limits. */
export const mostExactPrice = 5_000_000n
export const mostExactUnits = 400_000
const mostMemoBytes = 256
const prefix = 'invalid_exact_svm_payload_'

/**
 * Takes a transaction for what its bytes say: a compute budget, at most the making of the seller's token account at
 * the payer's cost, one checked transfer of SPL Token from the payer's associated account to the seller's, at most one
 * memo, and nothing else. Two signers: the payer and who pays the fee.
 *
 * @throws ProtocolError whose code is an ExactFault.
 */
export function verifyExactPayment(wire: Uint8Array, terms: ExactTerms): ExactPayment {
  const transaction = decoded(wire)
  const { message } = transaction
  demand(
    message.feePayer === terms.feePayer,
    'invalid_exact_svm_fee_payer_mismatch',
    'lets the facilitator pay its fee',
  )
  const [limit, price, ...rest] = message.instructions
  const create = rest[0]?.program === associatedTokenProgram ? rest[0] : undefined
  const [transfer, memo, ...more] = create === undefined ? rest : rest.slice(1)
  const isLong = limit !== undefined && price !== undefined && transfer !== undefined && more.length === 0
  demand(isLong, `${prefix}transaction_instructions_length`, 'has a limit, a price, a transfer and at most a memo')
  const budget = readBudget(limit, price)
  const payer = payerOf(transfer, terms)
  const made = ownAccount(create, payer, terms)
  demandMemo(memo, terms)
  const expected = [
    limit,
    price,
    ...made,
    transferTokensInstruction({ ...terms, from: payer, to: terms.payTo }),
    ...(memo === undefined ? [] : [memo]),
  ]
  demandSameRights(transaction, terms.feePayer, expected)
  demand(hasSigned(transaction, payer), `${prefix}signature_invalid`, 'is signed by its payer')
  return { payer, createsAccount: create !== undefined, budget, transaction }
}

function decoded(wire: Uint8Array): Transaction {
  try {
    const transaction = decodeTransaction(wire)
    if (transaction.message.lookupTables === 0) return transaction
  } catch (cause) {
    throw new ProtocolError(`${prefix}transaction_could_not_be_decoded`, 'the transaction cannot be read', { cause })
  }
  throw new ProtocolError(`${prefix}transaction_could_not_be_decoded`, 'the transaction hides accounts in a table')
}

function readBudget(limit: Instruction, price: Instruction): ComputeBudget {
  const budget = `${prefix}transaction_instructions_compute` as const
  const units = limit.data.length === 5 ? readFields(limit.data.slice(1)).u32() : 0
  const fee = price.data.length === 9 ? readFields(price.data.slice(1)).u64() : 0n
  demand(same(limit, computeLimitInstruction(units)), `${budget}_limit_instruction`, 'first sets its compute limit')
  demand(same(price, computePriceInstruction(fee)), `${budget}_price_instruction`, 'then sets its compute price')
  const most = `at most ${mostExactUnits} units`
  demand(units <= mostExactUnits, `${budget}_limit_instruction_too_high`, `uses ${most}`)
  demand(fee <= mostExactPrice, `${budget}_price_instruction_too_high`, `pays at most ${mostExactPrice} for priority`)
  return { units, price: fee }
}

/** The account of the seller and no other, made by the payer: the facilitator pays no rent for a stranger. */
function ownAccount(
  create: Instruction | undefined,
  payer: string,
  { payTo, mint }: ExactTerms,
): readonly Instruction[] {
  if (create === undefined) return []
  const due = createTokenAccountInstruction({ funder: payer, owner: payTo, mint })
  // Made in any case, or only where it is missing.
  const isKnown = create.data.length === 0 || (create.data.length === 1 && (create.data[0] ?? 2) <= 1)
  const isSame =
    create.accounts.length === due.accounts.length &&
    create.accounts.every(({ address }, at) => address === due.accounts[at]?.address)
  demand(
    isKnown && isSame,
    `${prefix}no_transfer_instruction`,
    "makes no account but the seller's, at its payer's cost",
  )
  return [due]
}

/** The authority of the transfer, once everything else about it is as asked. */
function payerOf({ program, accounts, data }: Instruction, terms: ExactTerms): string {
  const [source, mint, target, authority] = accounts
  demand(program !== token2022Program, `${prefix}token_2022_not_supported`, 'pays in SPL Token')
  const isTransfer = program === tokenProgram && data[0] === 12 && data.length === 10 && accounts.length === 4
  demand(isTransfer && authority !== undefined, `${prefix}no_transfer_instruction`, 'makes one checked transfer')
  const payer = authority.address
  const isOwn = payer !== terms.feePayer && accounts.every(({ address }) => address !== terms.feePayer)
  demand(isOwn, `${prefix}transaction_fee_payer_transferring_funds`, 'moves no money of the facilitator')
  demand(mint?.address === terms.mint, `${prefix}mint_mismatch`, 'pays in the token asked for')
  const to = associatedTokenAccount(terms.payTo, terms.mint)
  demand(target?.address === to, `${prefix}recipient_mismatch`, 'pays the seller')
  const fields = readFields(data.slice(1))
  demand(fields.u64() === terms.amount, `${prefix}amount_mismatch`, 'pays what was asked')
  demand(fields.u8() === terms.decimals, `${prefix}amount_mismatch`, 'counts in the decimals of the token')
  const from = associatedTokenAccount(payer, terms.mint)
  demand(source?.address === from, `${prefix}no_transfer_instruction`, 'pays out of the account of its payer')
  return payer
}

function demandMemo(memo: Instruction | undefined, terms: ExactTerms): void {
  const text = memo === undefined ? undefined : new TextDecoder().decode(memo.data)
  const isMemo =
    memo === undefined ||
    (memo.program === memoProgram && memo.accounts.length === 0 && memo.data.length <= mostMemoBytes)
  demand(isMemo, `${prefix}unknown_fourth_instruction`, 'ends with nothing but a memo')
  const isAsked = terms.memo === undefined || text === terms.memo
  demand(isAsked, `${prefix}memo_mismatch`, 'has the memo that was asked for')
}

/** Nobody else signs and nothing else is written to than these instructions need. */
function demandSameRights({ message }: Transaction, feePayer: string, expected: readonly Instruction[]): void {
  const due = unsignedTransaction(feePayer, message.blockhash, expected).message.accounts
  const rights = ({ address, signer, writable }: (typeof due)[number]) => `${address} ${signer} ${writable}`
  const owed = new Set(due.map(rights))
  const isSame =
    message.accounts.length === due.length && message.accounts.every((account) => owed.has(rights(account)))
  demand(isSame, `${prefix}excessive_signers`, 'asks nobody and nothing for more than the transfer needs')
}

function same(one: Instruction, other: Instruction): boolean {
  const isAlike = one.program === other.program && one.accounts.length === other.accounts.length
  return isAlike && one.data.length === other.data.length && one.data.every((byte, at) => byte === other.data[at])
}

function demand(isSo: boolean, code: ExactFault, does: string): asserts isSo {
  if (!isSo) throw new ProtocolError(code, `an exact payment is a transaction that ${does}`)
}
