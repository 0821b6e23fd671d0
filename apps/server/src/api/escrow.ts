import { limits, type Operations, type OutputOf } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { usd } from './present/money.ts'
import { presentToken } from './present/network.ts'
import { answerRefund, presentRelease } from './present/payment.ts'

export function createEscrowHandlers(deps: ApiDeps): HandlersOf<'escrow'> {
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
    'escrow.refund': async ({ caller }, input) => answerRefund(await market.refundEscrow(caller, input.task_id)),
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
    'escrow.config': (_call, input) => done(termsOf(deps, input.network)),
  }
}

/** @throws NETWORK_NOT_ACCEPTED, NETWORK_NO_ESCROW */
function termsOf(deps: ApiDeps, name: string | undefined): OutputOf<Operations['escrow.config']> {
  const network = name === undefined ? deps.networks[0] : deps.networks.find((one) => one.name === name)
  if (network === undefined)
    throw new MarketError('NETWORK_NOT_ACCEPTED', {
      network: name ?? null,
      accepted: deps.networks.map(({ name }) => name),
    })
  if (network.escrow === undefined) throw new MarketError('NETWORK_NO_ESCROW', { network: network.name })
  const { escrow, operator, collector } = network.escrow
  const tokens = Object.values(network.tokens).map(presentToken)
  return {
    network: network.name,
    chain_id: network.chainId ?? null,
    payment_mode: deps.paymentMode,
    min_fee_bps: limits.feeBps,
    max_fee_bps: limits.feeBps,
    min_bounty_usd: limits.bountyMinUsd,
    deposit_limit_usd: limits.escrowBountyMaxUsd,
    escrow,
    operator,
    token_collector: collector,
    tokens,
  }
}
