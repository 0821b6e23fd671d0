import { associatedTokenAccount, tokenProgram, type LedgerAccount } from '@ergon/channels'
import { readTokenAccount, type RpcLedger } from '@ergon/solana-ledger'
import { toBase58 } from '@ergon/protocols'
import { Refusal } from '../errors.ts'
import { refusal, type SolanaPayment } from './payment.ts'

/**
 * What the ledger holds against a payment before it is tried, by name, and how many token accounts would have to be
 * made for it.
 *
 * @throws Refusal with its reason; LedgerUnavailable
 */
export async function checkAccounts(
  ledger: Pick<RpcLedger, 'account'>,
  payment: SolanaPayment,
  mint: string,
): Promise<{ readonly missing: number }> {
  const read = (owner: string) => ledger.account(associatedTokenAccount(owner, mint))
  const [paying, ...paid] = await Promise.all([payment.payer, ...payment.payees.map(({ owner }) => owner)].map(read))
  const total = payment.payees.reduce((sum, { amount }) => sum + amount, 0n)
  const held = tokensIn(paying ?? null, { owner: payment.payer, mint }, 'payer')
  if (held === undefined) throw refusal('invalid_exact_svm_payer_account_missing')
  if (held < total) throw refusal('invalid_exact_svm_insufficient_balance')
  const missing = payment.payees.filter(
    ({ owner }, at) => tokensIn(paid[at] ?? null, { owner, mint }, 'recipient') === undefined,
  )
  if (missing.length > 0 && payment.makesAccounts === 'no') throw refusal('invalid_exact_svm_recipient_account_missing')
  return { missing: payment.makesAccounts === 'fee-payer' ? missing.length : 0 }
}

/** What the associated account holds; undefined when it is not there. Its owner may have given it away. */
function tokensIn(
  account: LedgerAccount | null,
  { owner, mint }: { readonly owner: string; readonly mint: string },
  side: 'payer' | 'recipient',
): bigint | undefined {
  if (account === null) return undefined
  const held = account.owner === tokenProgram ? readTokenAccount(account.data) : undefined
  // Lamports without data: whoever sent them there, the account can still be made.
  if (held === undefined && account.data.length === 0) return undefined
  if (held === undefined || toBase58(held.owner) !== owner || toBase58(held.mint) !== mint)
    throw refusal(`invalid_exact_svm_${side}_account_foreign`)
  if (held.isFrozen) throw refusal(`invalid_exact_svm_${side}_account_frozen`)
  return held.amount
}

/** A failure as a Solana node writes it, by the reason it means here. */
export function reasonOf(error: unknown): { readonly code: string; readonly reason: string } {
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  if (text === 'BlockhashNotFound') return named('invalid_exact_svm_blockhash_stale')
  if (text === 'AlreadyProcessed') return named('duplicate_settlement')
  if (/InsufficientFundsForFee|InsufficientFundsForRent/.test(text)) return named('out_of_sol')
  // SPL Token's own numbers: 1 is too little money, 17 a frozen account.
  if (/"Custom":1\b/.test(text)) return named('invalid_exact_svm_insufficient_balance')
  if (/"Custom":17\b/.test(text)) return named('invalid_exact_svm_payer_account_frozen')
  return { code: 'transaction_simulation_failed', reason: text }
}

function named(reason: string): { readonly code: string; readonly reason: string } {
  return { code: reason, reason }
}

/** The key that pays fees cannot; the same request may be carried out later. */
export function outOfSol(): Refusal {
  return new Refusal('out_of_sol', 'the account that pays the fees of this facilitator on Solana has run out', {
    status: 503,
    details: { broadcast: false },
    isPassing: true,
  })
}

export function refusalOfTrial(error: unknown): Refusal {
  const { code, reason } = reasonOf(error)
  return code === 'out_of_sol' ? outOfSol() : refusal(code, reason === code ? undefined : reason)
}
