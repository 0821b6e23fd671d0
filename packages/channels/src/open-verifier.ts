import { isOnEd25519Curve, ProtocolError } from '@ergon/protocols'
import { addressBytes } from './addresses.ts'
import { channelInstruction, openInstruction, type OpenTerms } from './channel-instructions.ts'
import type { Instruction } from './instruction.ts'
import { openSlotWindow } from './life.ts'
import { readFields } from './little-endian.ts'
import { encodeSplits, readSplits, type Split } from './splits.ts'
import { demandAccounts, onlyInstruction, type SponsoredFault } from './sponsored.ts'
import { decodeTransaction, hasSigned, type Message, type Transaction } from './transaction.ts'

/** What the service offered and a buyer may open. Addresses in base58, amounts in atomic units. */
export type AgreedOpen = {
  readonly channelProgram: string
  /** SPL Token where none is given. */
  readonly tokenProgram?: string
  readonly payer: string
  readonly payee: string
  readonly mint: string
  readonly authorizedSigner: string
  /** Pays the fee and the rent, and is asked for nothing else. */
  readonly operator: string
  readonly gracePeriodSec: number
  readonly splits: readonly Split[]
  readonly leastDeposit: bigint
  readonly mostDeposit: bigint
  /** The ledger's slot as the service knows it. */
  readonly slot: bigint
  /** The blockhash of the offer, where the transaction has to use that one. */
  readonly blockhash?: string
  /** The most that the operator pays for priority. */
  readonly mostPriorityLamports: bigint
}

/** Why a transaction is not the opening that was agreed. */
export type OpenFault =
  | SponsoredFault
  | 'open_data'
  | 'payer'
  | 'payee'
  | 'mint'
  | 'authorized_signer'
  | 'rent_payer'
  | 'fee_payer'
  | 'deposit'
  | 'grace_period'
  | 'open_slot'
  | 'splits'
  | 'blockhash'
  | 'signature'

/** An opening that is exactly what was agreed, as its own bytes say. */
export type VerifiedOpen = OpenTerms & { readonly channelId: string; readonly transaction: Transaction }

/**
 * Takes a transaction for what its bytes say: an opening of a channel on the agreed terms, the compute budget before
 * it, at most one memo after it, and nothing else. What a client says beside the bytes plays no part.
 *
 * @throws ProtocolError whose code is an OpenFault, or what `decodeTransaction` throws.
 */
export function verifyOpen(wire: Uint8Array, agreed: AgreedOpen): VerifiedOpen {
  const open = readOpen(wire, agreed)
  demand(hasSigned(open.transaction, open.payer), 'signature', 'is signed by its payer')
  return open
}

/** What a payer agrees to; whoever knows no slot leaves the age of an opening to the ledger. */
export type OfferedOpen = Omit<AgreedOpen, 'slot'> & { readonly slot?: bigint }

/** The same before anybody has signed: what a payer looks at. @throws as `verifyOpen` */
export function readOpen(wire: Uint8Array, agreed: OfferedOpen): VerifiedOpen {
  const transaction = decodeTransaction(wire)
  const { message } = transaction
  const sponsored = { ...agreed, does: 'opens a channel', number: channelInstruction.open }
  const open = onlyInstruction(message, sponsored)
  const terms = termsOf(open)
  demandTerms(terms, message, agreed)
  const expected = openInstruction(terms, agreed)
  demandAccounts(message, { found: open, expected }, sponsored)
  // The instruction has just been compared with the one our own builder makes: its sixth account is the channel.
  return { ...terms, channelId: expected.accounts[5]?.address ?? '', transaction }
}

function termsOf({ accounts, data }: Instruction): OpenTerms {
  const [payer, rentPayer, payee, mint, authorizedSigner] = accounts.map(({ address }) => address)
  if (!payer || !rentPayer || !payee || !mint || !authorizedSigner || accounts.length !== 14)
    throw fault('accounts', 'names the 14 accounts of an opening')
  const fields = readFields(data.slice(1))
  try {
    const terms = {
      salt: fields.u64(),
      deposit: fields.u64(),
      gracePeriodSec: fields.u32(),
      openSlot: fields.u64(),
      splits: readSplits(fields),
    }
    demand(fields.left() === 0, 'open_data', 'has no data after its splits')
    return { ...terms, payer, rentPayer, payee, mint, authorizedSigner }
  } catch (cause) {
    if (cause instanceof ProtocolError && cause.code !== 'open_data')
      throw new ProtocolError('open_data', 'the data of the opening cannot be read', { cause })
    throw cause
  }
}

function demandTerms(terms: OpenTerms, message: Message, agreed: OfferedOpen): void {
  demand(message.feePayer === agreed.operator, 'fee_payer', 'lets the operator pay the fee')
  demand(terms.rentPayer === agreed.operator, 'rent_payer', 'lets the operator pay the rent')
  demand(terms.payer === agreed.payer && terms.payer !== agreed.operator, 'payer', 'is paid by the buyer')
  demand(terms.payee === agreed.payee && terms.payee !== terms.payer, 'payee', 'pays the agreed payee')
  demand(terms.mint === agreed.mint, 'mint', 'holds the agreed token')
  const isSigner = terms.authorizedSigner === agreed.authorizedSigner
  const isKey = isOnEd25519Curve(addressBytes(terms.authorizedSigner))
  demand(isSigner && isKey, 'authorized_signer', 'lets the agreed key sign vouchers')
  const { deposit, gracePeriodSec, openSlot } = terms
  const isWithin = deposit > 0n && deposit >= agreed.leastDeposit && deposit <= agreed.mostDeposit
  demand(isWithin, 'deposit', `puts in from ${agreed.leastDeposit} to ${agreed.mostDeposit}`)
  const isGrace = gracePeriodSec > 0 && gracePeriodSec === agreed.gracePeriodSec
  demand(isGrace, 'grace_period', `has a grace period of ${agreed.gracePeriodSec} seconds`)
  const { slot = openSlot } = agreed
  const isFresh = openSlot <= slot && slot - openSlot <= openSlotWindow
  demand(isFresh, 'open_slot', `names one of the last ${openSlotWindow} slots`)
  demand(sameBytes(encodeSplits(terms.splits), encodeSplits(agreed.splits)), 'splits', 'shares out as agreed')
  const { blockhash = message.blockhash } = agreed
  demand(message.blockhash === blockhash, 'blockhash', 'uses the blockhash of the offer')
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function demand(isSo: boolean, code: OpenFault, does: string): asserts isSo {
  if (!isSo) throw fault(code, does)
}

function fault(code: OpenFault, does: string): ProtocolError {
  return new ProtocolError(code, `the opening of a channel is a transaction that ${does}`)
}
