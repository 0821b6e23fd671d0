import {
  mostExactUnits,
  verifyDirectPayment,
  verifyExactPayment,
  type ComputeBudget,
  type Transaction,
} from '@ergon/channels'
import { base64ToBytes, ProtocolError } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import { readInteger, readList, readOpenRecord, readText, readUint } from '../wire/read.ts'
import { readSolanaEnvelope, type SolanaRequirements } from './envelope.ts'
import { readSolanaAddress } from './read-address.ts'

/** What a payment on Solana pays, as its own bytes say; signed by its payer and not yet by who pays the fee. */
export type SolanaPayment = {
  readonly payer: string
  readonly payees: readonly { readonly owner: string; readonly amount: bigint }[]
  /** Their token accounts are made where they are missing, at the cost of the payer or of who pays the fee. */
  readonly makesAccounts: 'no' | 'payer' | 'fee-payer'
  readonly budget: ComputeBudget
  readonly transaction: Transaction
}

/** What this service settles on Solana. */
export type SolanaTerms = {
  readonly name: string
  readonly caip2: string
  readonly feePayer: string
  readonly mint: string
  readonly decimals: number
  /** Atomic units: what is less is no payment. */
  readonly smallest: bigint
}

/** Takes a body for the payment it is. @throws Refusal with the reason of the scheme, in the order of its reference */
export function readSolanaPayment(value: unknown, terms: SolanaTerms): SolanaPayment {
  const { requirements, scheme, transaction } = readSolanaEnvelope(value)
  const { asset, network, feePayer } = requirements
  if (network !== terms.name && network !== terms.caip2) throw refusal('invalid_network')
  if (scheme !== 'exact' && scheme !== 'split') throw refusal('unsupported_scheme')
  if (feePayer !== undefined && feePayer !== terms.feePayer) throw refusal('fee_payer_not_managed_by_facilitator')
  if (asset !== terms.mint) throw refusal('invalid_exact_svm_asset_not_supported')
  const wire = bytesOf(transaction)
  const payment = refusing(() =>
    scheme === 'exact' ? exactPayment(wire, requirements, terms) : splitPayment(wire, value, terms),
  )
  const { payer, payees } = payment
  if (payees.some(({ owner }) => owner === payer)) throw refusal('self_payment')
  if (payees.reduce((sum, { amount }) => sum + amount, 0n) < terms.smallest) throw refusal('amount_below_minimum')
  return payment
}

function exactPayment(wire: Uint8Array, asked: SolanaRequirements, terms: SolanaTerms): SolanaPayment {
  const { payTo, amount, memo } = asked
  if (payTo === undefined || amount === undefined) throw refusal('invalid_payment_requirements')
  const { payer, createsAccount, budget, transaction } = verifyExactPayment(wire, {
    ...terms,
    payTo,
    amount,
    ...(memo === undefined ? {} : { memo }),
  })
  return {
    payer,
    payees: [{ owner: payTo, amount }],
    makesAccounts: createsAccount ? 'payer' : 'no',
    budget,
    transaction,
  }
}

const mostPayees = 4
const mostReferenceLength = 64

/** One transaction that pays all payees or none, byte for byte the one that follows from its terms. */
function splitPayment(wire: Uint8Array, value: unknown, terms: SolanaTerms): SolanaPayment {
  const body = readOpenRecord(value, 'body')
  const requirements = readOpenRecord(body['paymentRequirements'], 'paymentRequirements')
  const payees = readList(requirements['payees'], 'paymentRequirements.payees', mostPayees).map((entry, at) => {
    const path = `paymentRequirements.payees[${String(at)}]`
    const payee = readOpenRecord(entry, path)
    return { owner: readSolanaAddress(payee['payTo'], `${path}.payTo`), amount: readUint(payee['amount'], path, 64) }
  })
  const extra = readOpenRecord(requirements['extra'], 'paymentRequirements.extra')
  const payer = readSolanaAddress(extra['payer'], 'extra.payer')
  const reference = readText(extra['reference'], 'extra.reference', mostReferenceLength)
  const units = readInteger(extra['computeUnits'], 'extra.computeUnits', mostExactUnits)
  const price = readUint(extra['computePrice'], 'extra.computePrice', 64)
  const { feePayer, mint, decimals } = terms
  const payment = { payer, feePayer, mint, decimals, payees, reference, computeUnits: units, computePrice: price }
  const transaction = verifyDirectPayment(wire, payment)
  return { payer, payees, makesAccounts: 'fee-payer', budget: { units, price }, transaction }
}

function bytesOf(text: string): Uint8Array {
  const bytes = base64ToBytes(text)
  if (bytes === undefined) throw refusal('invalid_exact_svm_payload_transaction_could_not_be_decoded')
  return bytes
}

/** What a verifier of the protocols found, under the name that the specification gives it, where it has one. */
function refusing<Answer>(read: () => Answer): Answer {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw refusal(error.code, error.message)
  }
}

/** The reason is the scheme's; the code is the specification's, where it has one. */
export function refusal(reason: string, message?: string): Refusal {
  return new Refusal(specNames[reason] ?? reason, reason, {
    details: { reason, ...(message === undefined ? {} : { errorMessage: message }) },
  })
}

const specNames: Readonly<Record<string, string>> = {
  invalid_exact_svm_payload_signature_invalid: 'invalid_signature',
  signature: 'invalid_signature',
  invalid_exact_svm_insufficient_balance: 'insufficient_balance',
  invalid_exact_svm_blockhash_stale: 'expired_authorization',
  duplicate_settlement: 'nonce_already_used',
  invalid_network: 'UnsupportedNetwork',
}
