import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { answerCashOut, presentCashOut } from './present/cash-out.ts'
import { usd } from './present/money.ts'
import { pageFields, pageRequest } from './present/page.ts'

/** Earnings that a wallet sends on without gas (decision 0249). */
export function createCashOutHandlers({ market }: ApiDeps): HandlersOf<'cashOuts'> {
  return {
    'cashOuts.send': async (call, input) => {
      const { network, token, to, nonce, signature } = input
      const amountUsd = call.exact('amount_usd') ?? String(input.amount_usd)
      const words = { network, token, to, nonce, signature, amountUsd, validBefore: BigInt(input.valid_before) }
      return answerCashOut(await market.cashOut(call.caller, words))
    },
    'cashOuts.list': async ({ caller }, input) => {
      const { page, sendable } = await market.cashOuts(caller, pageRequest(input))
      return done({
        cash_outs: page.rows.map(presentCashOut),
        sendable: sendable.map((one) => ({
          network: one.asset.network,
          token: one.asset.symbol,
          amount_usd: usd(one),
        })),
        ...pageFields(page),
      })
    },
    'cashOuts.get': async ({ caller }, { nonce }) => done(presentCashOut(await market.readCashOut(caller, nonce))),
  }
}
