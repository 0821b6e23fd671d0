import { limits } from '@ergon/contract'
import { parseUsd, splitFee, type Asset } from '@ergon/core'
import type { Network } from '@ergon/protocols'
import { done, inFlight, type HandlersOf } from '../dispatch/handlers.ts'
import { presentRelease } from './decisions.ts'
import type { ApiDeps } from './deps.ts'
import { usd } from './present/money.ts'
import { presentFee, presentPayment, presentPaymentEvent } from './present/payment.ts'
import { presentTypedData } from './present/typed-data.ts'

type PaymentOperations =
  | 'escrow.health'
  | 'escrow.refund'
  | 'escrow.reclaim'
  | 'escrow.lifecycleChallenge'
  | 'payments.get'
  | 'payments.events'
  | 'payments.networks'
  | 'payments.fees'
  | 'payments.feeChallenge'
  | 'payments.payFee'

export function createPaymentHandlers(deps: ApiDeps): HandlersOf<PaymentOperations> {
  const { market } = deps
  return {
    'escrow.health': async () => {
      const [reached, today] = await Promise.all([deps.reach(), deps.payments.today()])
      const { limit } = deps.payments
      const isHealthy =
        reached.facilitator && Object.values(reached.networks).every(Boolean) && (limit === 0 || today < limit)
      return done({
        status: isHealthy ? ('healthy' as const) : ('degraded' as const),
        facilitator: reached.facilitator,
        networks: { ...reached.networks },
        payments: { today, limit: limit === 0 ? null : limit },
      })
    },
    'escrow.refund': async ({ caller }, input) => {
      const refund = await market.refundEscrow(caller, input.task_id)
      const body = { task_id: refund.taskId, status: refund.status, refund_tx: refund.refundTx }
      return refund.state === 'cancelling' ? inFlight(body) : done(body)
    },
    'escrow.reclaim': async ({ caller }, input) => {
      const reclaim = await market.reclaim(caller, input.task_id)
      return done({
        task_id: reclaim.taskId,
        chain_id: reclaim.chainId,
        escrow: reclaim.escrow,
        calldata: reclaim.calldata,
        payer: reclaim.payer,
        amount_usd: usd(reclaim.amount),
        eligible_at: reclaim.eligibleAt.toISOString(),
        eligible: reclaim.eligible,
      })
    },
    'escrow.lifecycleChallenge': async ({ caller }, input) => {
      const release = await market.releaseChallenge(caller, input.task_id)
      return done({ task_id: release.taskId, ...presentRelease(release), expires_at: release.expiresAt.toISOString() })
    },
    'payments.get': async ({ caller }, input) => done(presentPayment(await market.payment(caller, input.task_id))),
    'payments.events': async ({ caller }, input) => {
      const events = await market.paymentEvents(caller, input.task_id)
      return done({ task_id: input.task_id, events: events.map(presentPaymentEvent), count: events.length })
    },
    'payments.feeChallenge': async ({ caller }, input) => {
      const { taskId, fee, auth } = await market.feeChallenge(caller, input.task_id)
      const settlement_auth_fee =
        auth === null ? null : { typed_data: presentTypedData(auth.typedData), envelope: { ...auth.envelope } }
      return done({
        task_id: taskId,
        platform_fee_usdc: usd(fee),
        network: fee.asset.network,
        token: fee.asset.symbol,
        settlement_auth_fee,
        expires_at: auth?.expiresAt.toISOString() ?? null,
      })
    },
    'payments.payFee': async ({ caller }, input) => {
      const paid = await market.payFee(caller, input.task_id, input.settlement_auth_fee)
      return paid.state === 'paid' ? done(presentFee(paid)) : inFlight(presentFee(paid))
    },
    'payments.networks': () => done({ preferred: preferred(deps).name, networks: deps.networks.map(presentNetwork) }),
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

function presentNetwork(network: Network) {
  const { escrow } = network
  return {
    name: network.name,
    title: network.title,
    caip2: network.caip2,
    chain_id: network.chainId ?? null,
    escrow:
      escrow === undefined
        ? null
        : { escrow: escrow.escrow, operator: escrow.operator, token_collector: escrow.collector },
    tokens: Object.values(network.tokens).map(({ symbol, address, decimals, name, version }) => ({
      symbol,
      address,
      decimals,
      name,
      version,
    })),
    explorer_tx_url: network.explorerTxUrl ?? null,
  }
}
