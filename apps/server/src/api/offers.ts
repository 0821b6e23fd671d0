import { MarketError } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { sliceFields, sliceFrom } from './present/page.ts'
import { answerAccepted, presentAcceptChallenge, presentOffer, presentOfferChallenge } from './present/offer.ts'

export function createOfferHandlers({ market }: ApiDeps): HandlersOf<'offers'> {
  return {
    'offers.list': async ({ caller }, { task_id, ...paging }) => {
      const found = sliceFrom(await market.offers(caller, task_id), paging)
      return done({ offers: found.rows.map(presentOffer), ...sliceFields(found) })
    },
    'offers.challenge': async ({ caller }, { task_id, worker_amount_usd, valid_hours }) =>
      done(
        presentOfferChallenge(
          await market.offerChallenge(caller, task_id, {
            toWorker: String(worker_amount_usd),
            validHours: valid_hours ?? null,
          }),
        ),
      ),
    'offers.propose': async ({ caller }, { task_id, expires_at, nonce, signature, ...input }) => {
      const toWorker = String(input.worker_amount_usd)
      if (expires_at === undefined || nonce === undefined || signature === undefined) {
        // What no signature would help against is said first.
        await market.offerChallenge(caller, task_id, { toWorker, validHours: null })
        throw new MarketError('SETTLEMENT_SIGNATURE_REQUIRED', { task_id })
      }
      const offered = await market.proposeOffer(caller, task_id, {
        toWorker,
        expiresAt: new Date(expires_at),
        nonce: nonce.toLowerCase(),
        signature,
        message: input.note ?? null,
        payments: paymentsOf(input),
      })
      return done(presentOffer(offered))
    },
    'offers.acceptChallenge': async ({ caller }, { offer_id }) =>
      done(presentAcceptChallenge(await market.acceptChallenge(caller, offer_id))),
    'offers.accept': async ({ caller }, { offer_id, signature, lifecycle_order: order, ...input }) => {
      if (signature === undefined) {
        await market.acceptChallenge(caller, offer_id)
        throw new MarketError('SETTLEMENT_SIGNATURE_REQUIRED', { offer_id })
      }
      return answerAccepted(
        await market.acceptOffer(caller, offer_id, {
          signature,
          order:
            order === undefined
              ? null
              : {
                  signer: order.signer.toLowerCase(),
                  deadline: order.deadline,
                  nonce: order.nonce.toLowerCase(),
                  signature: order.signature,
                },
          payments: paymentsOf(input),
        }),
      )
    },
    'offers.close': async ({ caller }, { offer_id }) => done(presentOffer(await market.closeOffer(caller, offer_id))),
  }
}

function paymentsOf(input: {
  readonly settlement_auth_worker?: string
  readonly settlement_auth_fee?: string
}): { readonly payout: string; readonly fee: string | null } | null {
  const { settlement_auth_worker: payout, settlement_auth_fee: fee } = input
  return payout === undefined ? null : { payout, fee: fee ?? null }
}
