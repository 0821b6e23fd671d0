import type { WalletCaller } from '../caller.ts'
import type { CashOut } from '../cash-outs/cash-out.ts'
import { cashOut, type CashOutInput } from '../flows/cash-out.ts'
import { finishCashOuts } from '../flows/carry-cash-out.ts'
import type { MarketDeps } from '../flows/deps.ts'
import type { CashOutEnd } from '../ports/store-cash-outs.ts'
import type { Fault } from './fake-chain.ts'
import { plainSignature } from './fake-ports.ts'
import { scriptedDeps, scriptedNow, type Script, type ScriptedDeps } from './scripted-deps.ts'

export const wallet = '0xaa'
export const caller: WalletCaller = { kind: 'wallet', wallet, agentId: null, via: 'session' }
export const nonce = `0x${'5e'.repeat(32)}`
export const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 }
export const seconds = BigInt(scriptedNow.getTime() / 1_000)
export const input: CashOutInput = {
  network: 'localnet',
  token: 'USDC',
  to: '0xBB',
  amountUsd: '2.5',
  validBefore: seconds + 500n,
  nonce: nonce.toUpperCase().replace('0X', '0x'),
  signature: plainSignature(wallet, nonce),
}

/** One row, as the tables keep it, and what is due of them. */
export type Books = { row: CashOut | null; due: readonly CashOut[] }
export const emptyBooks = (): Books => ({ row: null, due: [] })

type Given = { readonly fault?: Fault; readonly script?: Script; readonly change?: Partial<MarketDeps> }

/** A market over these books, and a wallet with three dollars that earned four. */
export function cashOutStage(books: Books, given: Given = {}): ScriptedDeps {
  const one = scriptedDeps(
    {
      cashOut: () => books.row,
      sendableOf: (_of: string, assets: readonly unknown[]) => assets.map((of) => ({ asset: of, atomic: 4_000_000n })),
      sendable: 4_000_000n,
      cashOutsOf: { rows: [], total: 0, offset: 0, hasMore: false, nextCursor: null },
      isBanned: false,
      insertCashOut: (fresh: CashOut) => {
        books.row = fresh
        return true
      },
      endCashOut: (_one: CashOut, { status, code, txHash }: CashOutEnd) => {
        if (books.row !== null)
          books.row = { ...books.row, status, code: code ?? null, txHash: txHash ?? books.row.txHash }
        return true
      },
      leaseCashOuts: () => books.due,
      ...given.script,
    },
    given.change,
  )
  one.chain.fund(wallet, 3_000_000n)
  one.chain.fault = (method) => (method === 'send' ? (given.fault ?? 'none') : 'none')
  return one
}

export const send = (one: ScriptedDeps, change: Partial<CashOutInput> = {}): Promise<CashOut> =>
  cashOut(one.deps, caller, { ...input, ...change })

/** The duty, with the row as what is due. */
export async function finish(books: Books, one: ScriptedDeps): Promise<number> {
  books.due = books.row === null ? [] : [{ ...books.row, attempts: books.row.attempts + 1 }]
  return finishCashOuts(one.deps)
}
