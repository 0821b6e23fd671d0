import type { InputOf, Operations } from '@ergon/contract'
import { MarketError, type ChannelFacts, type GivenVoucher } from '@ergon/core'
import { bodyHash } from '../dispatch/body-hash.ts'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { demand } from '../dispatch/limits.ts'
import { createRateLimiter } from '../dispatch/rate-limit.ts'
import { demandChannelProof } from './channel-proof.ts'
import type { ApiDeps } from './deps.ts'
import { presentChannel, presentOffer, presentTick } from './present/meter.ts'

/** Each asks a ledger that others keep; nobody opens more channels in a minute. */
const perMinute = () => createRateLimiter(30, 60_000)

/** Channels of metered tasks, for those whose money they hold (spec §4). */
export function createChannelHandlers(deps: ApiDeps): HandlersOf<'channels'> {
  const { market } = deps
  const budgets = { offers: perMinute(), openings: perMinute(), binds: perMinute() }
  const service = new URL(deps.baseUrl).host
  const take = (budget: keyof typeof budgets, wallet: string): Date => {
    const now = deps.now()
    demand(budgets[budget].take(wallet, now.getTime()), now.getTime())
    return now
  }
  return {
    'channels.offer': async ({ caller }, { task_id: taskId, payer, ...asked }) => {
      take('offers', caller.wallet)
      const offer = await market.channelOffer(caller, taskId, {
        payer,
        depositUsd: asked.deposit_usd ?? null,
        voucherKey: asked.authorized_signer ?? null,
      })
      return done(presentOffer(offer, factsOf(deps)))
    },
    'channels.open': async (
      { caller },
      { task_id: taskId, payer, transaction, authorized_signer: voucherKey = null },
    ) => {
      take('openings', caller.wallet)
      const channel = await market.openChannel(caller, taskId, { payer, transaction, voucherKey })
      return done(presentChannel(channel, factsOf(deps)))
    },
    'channels.close': async ({ caller }, { task_id: taskId }) => {
      const { state, channel } = await market.closeChannel(caller, taskId)
      return { body: presentChannel(channel, factsOf(deps)), ...(state === 'closing' ? { status: 202 } : {}) }
    },
    'channels.bind': async ({ caller }, input) => {
      const now = take('binds', caller.wallet)
      const { task_id: taskId, channel_id: channelId, payer } = input
      demandChannelProof(
        { service, wallet: caller.wallet, taskId, channelId, payer },
        input.message,
        input.signature,
        now,
      )
      const channel = await market.bindChannel(caller, taskId, {
        ...{ channelId, payer, payee: input.payee ?? null, voucherKey: input.authorized_signer ?? null },
      })
      return done(presentChannel(channel, factsOf(deps)))
    },
    'channels.get': async ({ caller }, { task_id: taskId }) =>
      done(presentChannel(await market.ownChannel(caller, taskId), factsOf(deps))),
    'channels.tick': async ({ caller }, { task_id: taskId, ...input }) => {
      const { tick, channel, replayed } = await market.tick(caller, taskId, {
        evidence: input.evidence,
        unit: input.unit ?? null,
        payee: input.payee ?? null,
        note: input.note ?? null,
        voucher: input.voucher === undefined ? null : readVoucher(input.voucher),
        idempotency:
          input.idempotency_key === undefined ? null : { key: input.idempotency_key, bodyHash: bodyHash(input) },
      })
      const body = presentTick(tick, channel, replayed)
      return replayed ? { body, headers: { 'idempotent-replayed': 'true' } } : done(body)
    },
  }
}

type WireVoucher = NonNullable<InputOf<Operations['channels.tick']>['voucher']>

/** As the scheme of sessions writes a signed voucher. */
function readVoucher({ voucher, signer, signature }: WireVoucher): GivenVoucher {
  const { channelId, cumulativeAmount } = voucher
  return { channelId, cumulative: BigInt(cumulativeAmount), signer: signer ?? null, signature }
}

/** What everybody may know of the channels of this deployment. @throws NOT_WIRED where there are none */
export function factsOf({ channels }: Pick<ApiDeps, 'channels'>): ChannelFacts {
  if (channels === null) throw new MarketError('NOT_WIRED')
  return channels
}
