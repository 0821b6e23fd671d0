import { ProtocolError } from '@ergon/protocols'
import { channelInstruction, topUpInstruction, type ChannelPlace } from './channel-instructions.ts'
import { readFields } from './little-endian.ts'
import { demandAccounts, onlyInstruction, type SponsoredFault } from './sponsored.ts'
import { decodeTransaction, hasSigned, type Transaction } from './transaction.ts'

/** The channel that is to be topped up, and who pays the fee for it. */
export type AgreedTopUp = ChannelPlace & {
  readonly channelProgram: string
  /** SPL Token where none is given. */
  readonly tokenProgram?: string
  /** Pays the fee, and is asked for nothing else. */
  readonly operator: string
  /** What the channel may hold more, in atomic units. */
  readonly mostAmount: bigint
  readonly mostPriorityLamports: bigint
}

/** Why a transaction is not the top-up that was agreed. */
export type TopUpFault = SponsoredFault | 'top_up_data' | 'amount' | 'fee_payer' | 'payer' | 'signature'

/** A top-up that does nothing else, as its own bytes say. */
export type VerifiedTopUp = { readonly amount: bigint; readonly transaction: Transaction }

/**
 * Takes a transaction for what its bytes say: more money for one channel, out of its payer's account, and nothing else.
 *
 * @throws ProtocolError whose code is a TopUpFault, or what `decodeTransaction` throws.
 */
export function verifyTopUp(wire: Uint8Array, agreed: AgreedTopUp): VerifiedTopUp {
  const transaction = decodeTransaction(wire)
  const { message } = transaction
  const sponsored = { ...agreed, does: 'tops a channel up', number: channelInstruction.topUp }
  const found = onlyInstruction(message, sponsored)
  demand(found.data.length === 9, 'top_up_data', 'names an amount and nothing else')
  const amount = readFields(found.data.slice(1)).u64()
  demand(amount > 0n && amount <= agreed.mostAmount, 'amount', `adds from 1 to ${agreed.mostAmount}`)
  demand(message.feePayer === agreed.operator, 'fee_payer', 'lets the operator pay the fee')
  demand(agreed.payer !== agreed.operator, 'payer', 'is paid by the buyer')
  demandAccounts(message, { found, expected: topUpInstruction(agreed, amount, agreed) }, sponsored)
  demand(hasSigned(transaction, agreed.payer), 'signature', 'is signed by the payer of the channel')
  return { amount, transaction }
}

function demand(isSo: boolean, code: TopUpFault, does: string): asserts isSo {
  if (!isSo) throw new ProtocolError(code, `a transaction that tops a channel up is one that ${does}`)
}
