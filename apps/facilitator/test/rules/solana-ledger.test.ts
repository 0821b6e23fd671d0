import { associatedTokenAccount, systemProgram, tokenProgram, type LedgerAccount } from '@ergon/channels'
import { fromBase58 } from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { costOf, priorityOf, rentOfTokenAccount } from '../../src/solana/costs.ts'
import { checkAccounts, outOfSol, reasonOf, refusalOfTrial } from '../../src/solana/ledger-faults.ts'
import type { SolanaPayment } from '../../src/solana/payment.ts'
import { keyOf, payer, seller, stranger } from '../solana-keys.ts'

const mint = keyOf(90).address

test('a payment costs its signatures, its priority rounded up, and the rent of accounts that are made', () => {
  expect([0n, 1n, 16n, 17n].map((price) => priorityOf({ units: 60_000, price }))).toEqual([0n, 1n, 1n, 2n])
  const of = { signers: 2, budget: { units: 1_000_000, price: 3n } }
  expect(costOf({ ...of, accounts: 0 })).toEqual({ fee: 10_003n, rent: 0n })
  expect(costOf({ ...of, accounts: 2 })).toEqual({ fee: 10_003n, rent: 2n * rentOfTokenAccount })
})

/** A token account as SPL Token lays it out. */
function tokens(of: { owner: string; amount: bigint; state?: number; of?: string; program?: string }): LedgerAccount {
  const data = Buffer.alloc(165)
  data.set(fromBase58(of.of ?? mint), 0)
  data.set(fromBase58(of.owner), 32)
  data.writeBigUInt64LE(of.amount, 64)
  data.writeUInt8(of.state ?? 1, 108)
  return { owner: of.program ?? tokenProgram, data, lamports: 1n, slot: 1n }
}

describe('what a ledger holds against a payment', () => {
  const ledgerOf = (accounts: Readonly<Record<string, LedgerAccount>>) => {
    const byAddress = new Map(
      Object.entries(accounts).map(([owner, account]) => [associatedTokenAccount(owner, mint), account]),
    )
    return { account: (address: string) => Promise.resolve(byAddress.get(address) ?? null) }
  }
  const paying = { owner: payer.address, amount: 1_000n }
  const paid = { owner: seller.address, amount: 0n }
  const check = (
    accounts: Readonly<Record<string, LedgerAccount>>,
    makesAccounts: SolanaPayment['makesAccounts'] = 'no',
    payees = [{ owner: seller.address, amount: 1_000n }],
  ) => {
    // What is asked for.
    const payment = { payer: payer.address, payees, makesAccounts } as unknown as SolanaPayment
    return checkAccounts(ledgerOf(accounts), payment, mint).then(
      ({ missing }) => missing,
      (error: unknown) => (error as { readonly message: string }).message,
    )
  }
  const rich = { [payer.address]: tokens(paying) }
  const both = { ...rich, [seller.address]: tokens(paid) }
  const svm = 'invalid_exact_svm'

  test('is nothing where its payer has all of it and its payee has an account', async () => {
    expect(await check(both)).toBe(0)
  })

  test('is that its payer has one unit less, counted over all payees', async () => {
    const poor = { ...both, [payer.address]: tokens({ ...paying, amount: 999n }) }
    expect(await check(poor)).toBe(`${svm}_insufficient_balance`)
    const payees = [
      { owner: seller.address, amount: 600n },
      { owner: stranger.address, amount: 401n },
    ]
    expect(await check(both, 'fee-payer', payees)).toBe(`${svm}_insufficient_balance`)
  })

  test('is an account that is missing, unless it is made; who pays the fee is told how many', async () => {
    expect(await check({})).toBe(`${svm}_payer_account_missing`)
    expect(await check(rich)).toBe(`${svm}_recipient_account_missing`)
    expect(await check(rich, 'payer')).toBe(0)
    expect(await check(rich, 'fee-payer')).toBe(1)
    expect(await check(both, 'fee-payer')).toBe(0)
    // Lamports alone are no account yet.
    const empty = { owner: systemProgram, data: new Uint8Array(), lamports: 5n, slot: 1n }
    expect(await check({ ...rich, [seller.address]: empty }, 'fee-payer')).toBe(1)
  })

  test.each<readonly [what: string, account: Partial<Parameters<typeof tokens>[0]>, end: string]>([
    ['frozen', { state: 2 }, 'account_frozen'],
    ["another's", { owner: stranger.address }, 'account_foreign'],
    ['of another mint', { of: stranger.address }, 'account_foreign'],
    ["another program's", { program: systemProgram }, 'account_foreign'],
    ['not made', { state: 0 }, 'account_foreign'],
  ])('is an account that is %s, on either side', async (_what, change, end) => {
    expect(await check({ ...both, [payer.address]: tokens({ ...paying, ...change }) })).toBe(`${svm}_payer_${end}`)
    expect(await check({ ...both, [seller.address]: tokens({ ...paid, ...change }) })).toBe(`${svm}_recipient_${end}`)
  })
})

describe('a failure as a node of Solana writes it', () => {
  test.each<readonly [error: unknown, code: string, reason: string]>([
    ['BlockhashNotFound', 'invalid_exact_svm_blockhash_stale', 'invalid_exact_svm_blockhash_stale'],
    ['AlreadyProcessed', 'duplicate_settlement', 'duplicate_settlement'],
    ['InsufficientFundsForFee', 'out_of_sol', 'out_of_sol'],
    [{ InsufficientFundsForRent: { account_index: 0 } }, 'out_of_sol', 'out_of_sol'],
    [
      { InstructionError: [2, { Custom: 1 }] },
      'invalid_exact_svm_insufficient_balance',
      'invalid_exact_svm_insufficient_balance',
    ],
    [
      { InstructionError: [2, { Custom: 17 }] },
      'invalid_exact_svm_payer_account_frozen',
      'invalid_exact_svm_payer_account_frozen',
    ],
    [
      { InstructionError: [2, { Custom: 11 }] },
      'transaction_simulation_failed',
      '{"InstructionError":[2,{"Custom":11}]}',
    ],
  ])('%j has a name', (error, code, reason) => {
    expect(reasonOf(error)).toEqual({ code, reason })
  })

  test('is the verdict on the payment, but for a key that cannot pay fees: that passes', () => {
    expect(refusalOfTrial('AlreadyProcessed')).toMatchObject({ code: 'nonce_already_used', isPassing: false })
    expect(refusalOfTrial('Odd')).toMatchObject({
      code: 'transaction_simulation_failed',
      details: { reason: 'transaction_simulation_failed', errorMessage: 'Odd' },
    })
    expect(refusalOfTrial('BlockhashNotFound').details).toEqual({ reason: 'invalid_exact_svm_blockhash_stale' })
    expect(refusalOfTrial('InsufficientFundsForFee')).toMatchObject(outOfSol())
    expect(outOfSol()).toMatchObject({
      code: 'out_of_sol',
      message: 'the account that pays the fees of this facilitator on Solana has run out',
      status: 503,
      isPassing: true,
      details: { broadcast: false },
    })
  })
})
