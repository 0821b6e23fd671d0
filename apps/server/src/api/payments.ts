import { limits } from '@ergon/contract'
import { parseUsd, splitFee, type Asset } from '@ergon/core'
import type { Network } from '@ergon/protocols'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { createBalances } from './balances.ts'
import { bountyNetworks } from './bounty-networks.ts'
import type { ApiDeps } from './deps.ts'
import { createFunding } from './funding.ts'
import { instant } from './present/instant.ts'
import { usd } from './present/money.ts'
import { presentNetwork } from './present/network.ts'
import { shortSliceOf, sliceFields, sliceFrom } from './present/page.ts'
import { answerFee, presentPayment, presentPaymentEvent } from './present/payment.ts'
import { presentAsked } from './present/typed-data.ts'

export function createPaymentHandlers(deps: ApiDeps): HandlersOf<'payments'> {
  const { market } = deps
  const balancesOf = createBalances(deps)
  const fundingOf = createFunding(deps)
  return {
    'payments.get': async ({ caller }, input) => done(presentPayment(await market.payment(caller, input.task_id))),
    'payments.events': async ({ caller }, input) => {
      const found = await market.paymentEvents(caller, input.task_id, shortSliceOf(input))
      return done({ task_id: input.task_id, events: found.rows.map(presentPaymentEvent), ...sliceFields(found) })
    },
    'payments.networks': (_call, input) => {
      const part = sliceFrom(bountyNetworks(deps), input)
      const closed = deps.market.closedNetworks()
      const networks = part.rows.map((one) => presentNetwork(one, !closed.includes(one.name)))
      return done({ preferred: preferred(deps).name, networks, ...sliceFields(part) })
    },
    'payments.fees': (call) => {
      const bounty = call.exact('bounty_usd')
      return done({
        fee_bps: limits.feeBps,
        worker_bps: 10_000 - limits.feeBps,
        rounding: 'The fee is rounded down to the atomic unit of the token; the worker is paid the rest.',
        min_bounty_usd: limits.bountyMinUsd,
        max_escrow_bounty_usd: limits.escrowBountyMaxUsd,
        example: bounty === undefined ? null : example(bounty),
      })
    },
    'payments.feeChallenge': async ({ caller }, input) => {
      const { taskId, fee, auth } = await market.feeChallenge(caller, input.task_id)
      return done({
        task_id: taskId,
        platform_fee_usdc: usd(fee),
        network: fee.asset.network,
        token: fee.asset.symbol,
        settlement_auth_fee: auth === null ? null : presentAsked(auth),
        expires_at: auth?.expiresAt.toISOString() ?? null,
      })
    },
    'payments.payFee': async ({ caller }, input) =>
      answerFee(await market.payFee(caller, input.task_id, input.settlement_auth_fee)),
    'payments.funding': async ({ caller }, input) => done(await fundingOf(caller, input.task_id)),
    'payments.fundingKeys': (_call, input) => {
      const part = sliceFrom(deps.fundingKeys.published(deps.now()), input)
      return done({
        keys: part.rows.map(({ address, from, until }) => ({
          address,
          signs_from: instant(from),
          signs_until: instant(until),
        })),
        ...sliceFields(part),
      })
    },
    'payments.balance': async (_call, input) => {
      const wallet = input.wallet.toLowerCase()
      const part = sliceFrom(await balancesOf(wallet), input)
      return done({ wallet, balances: [...part.rows], ...sliceFields(part) })
    },
  }
}

/** Every stablecoin of the table has six decimals. */
const dollars: Asset = { symbol: 'USDC', network: '', decimals: 6 }

function example(bountyUsd: string): { bounty_usd: number; worker_usd: number; fee_usd: number } {
  const { gross, payout, fee } = splitFee(parseUsd(bountyUsd, dollars))
  return { bounty_usd: usd(gross), worker_usd: usd(payout), fee_usd: usd(fee) }
}

function preferred(deps: ApiDeps): Network {
  const [first] = deps.networks
  if (first === undefined) throw new Error('a deployment serves at least one network')
  return first
}
