import { isOnEd25519Curve, ProtocolError } from '@ergon/protocols'
import { addressBytes, computeBudgetProgram, memoProgram } from './addresses.ts'
import { channelInstruction, openInstruction, type OpenTerms } from './channel-instructions.ts'
import type { Instruction } from './instruction.ts'
import { openSlotWindow } from './life.ts'
import { readFields } from './little-endian.ts'
import { encodeSplits, readSplits, type Split } from './splits.ts'
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
  | 'lookup_tables'
  | 'instructions'
  | 'compute_budget'
  | 'memo'
  | 'open_data'
  | 'accounts'
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
  | 'signers'
  | 'writable_accounts'
  | 'signature'

/** An opening that is exactly what was agreed, as its own bytes say. */
export type VerifiedOpen = OpenTerms & { readonly channelId: string; readonly transaction: Transaction }

/** What the open instruction asks the runtime for; more than this a wallet does not need. */
export const mostComputeUnits = 400_000
const mostMemoBytes = 256
/** Where a transaction sets no limit, the runtime grants at most this. */
const unlimitedUnits = 1_400_000n

/**
 * Takes a transaction for what its bytes say: an opening of a channel on the agreed terms, the compute budget before
 * it, at most one memo after it, and nothing else. What a client says beside the bytes plays no part.
 *
 * @throws ProtocolError whose code is an OpenFault, or what `decodeTransaction` throws.
 */
export function verifyOpen(wire: Uint8Array, agreed: AgreedOpen): VerifiedOpen {
  const transaction = decodeTransaction(wire)
  const { message } = transaction
  demand(message.lookupTables === 0, 'lookup_tables', 'names all its accounts itself')
  const open = onlyOpen(message.instructions, agreed)
  const terms = termsOf(open)
  demandTerms(terms, message, agreed)
  const expected = openInstruction(terms, agreed)
  demandSameAccounts(open, expected)
  demandRights(message, expected)
  demand(hasSigned(transaction, terms.payer), 'signature', 'is signed by its payer')
  // The instruction has just been compared with the one our own builder makes: its sixth account is the channel.
  return { ...terms, channelId: expected.accounts[5]?.address ?? '', transaction }
}

/** The opening between what may come before and after it. */
function onlyOpen(instructions: readonly Instruction[], agreed: AgreedOpen): Instruction {
  const at = instructions.findIndex(({ program }) => program !== computeBudgetProgram)
  const open = instructions[at]
  const isOpen = open?.program === agreed.channelProgram && open.data[0] === channelInstruction.open
  if (open === undefined || !isOpen) throw fault('instructions', 'opens a channel after its compute budget')
  demandBudget(instructions.slice(0, at), agreed)
  const [memo, ...more] = instructions.slice(at + 1)
  demand(more.length === 0, 'instructions', 'does nothing but open a channel')
  if (memo !== undefined) {
    demand(memo.program === memoProgram, 'instructions', 'does nothing but open a channel')
    demand(memo.accounts.length === 0 && memo.data.length <= mostMemoBytes, 'memo', 'has a short memo without accounts')
  }
  return open
}

/** The fee payer pays for what these ask. */
function demandBudget(budget: readonly Instruction[], { mostPriorityLamports }: AgreedOpen): void {
  let units = unlimitedUnits
  let price = 0n
  const seen = new Set<number>()
  for (const { data, accounts } of budget) {
    const kind = data[0] ?? 0
    const isLimit = kind === 2 && data.length === 5
    const isPrice = kind === 3 && data.length === 9
    demand(accounts.length === 0 && (isLimit || isPrice) && !seen.has(kind), 'compute_budget', 'sets its budget once')
    seen.add(kind)
    const fields = readFields(data.slice(1))
    if (isLimit) units = BigInt(fields.u32())
    else price = fields.u64()
  }
  demand(!seen.has(2) || units <= BigInt(mostComputeUnits), 'compute_budget', `uses at most ${mostComputeUnits} units`)
  const lamports = (units * price + 999_999n) / 1_000_000n
  demand(
    lamports <= mostPriorityLamports,
    'compute_budget',
    `pays at most ${mostPriorityLamports} lamports for priority`,
  )
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

function demandTerms(terms: OpenTerms, message: Message, agreed: AgreedOpen): void {
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
  const isFresh = openSlot <= agreed.slot && agreed.slot - openSlot <= openSlotWindow
  demand(isFresh, 'open_slot', `names one of the last ${openSlotWindow} slots`)
  demand(sameBytes(encodeSplits(terms.splits), encodeSplits(agreed.splits)), 'splits', 'shares out as agreed')
  const { blockhash = message.blockhash } = agreed
  demand(message.blockhash === blockhash, 'blockhash', 'uses the blockhash of the offer')
}

/** What our own builder would have named, in its order: addresses that are derived, programs and sysvars. */
function demandSameAccounts(open: Instruction, expected: Instruction): void {
  for (const [at, { address }] of expected.accounts.entries())
    demand(open.accounts[at]?.address === address, 'accounts', `names the account of an opening in place ${at}`)
}

/** Nobody signs and nothing is written to beyond what the opening itself needs. */
function demandRights(message: Message, open: Instruction): void {
  const owed = new Map(open.accounts.map((account) => [account.address, { signer: false, writable: false }]))
  for (const { address, signer, writable } of open.accounts) {
    const known = owed.get(address)
    owed.set(address, { signer: signer || known?.signer === true, writable: writable || known?.writable === true })
  }
  for (const { address, signer, writable } of message.accounts) {
    const due = owed.get(address)
    const isProgram = message.instructions.some(({ program }) => program === address)
    demand(due !== undefined || isProgram, 'accounts', 'names no account that it does not use')
    demand(signer === (due?.signer ?? false), 'signers', 'is signed by its payer and the operator')
    demand(writable === (due?.writable ?? false), 'writable_accounts', 'writes to the accounts of the opening')
  }
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
