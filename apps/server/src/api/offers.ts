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
    'offers.propose': async ({ caller }, { task_id, ...input }) =>
      done(
        presentOffer(
          await market.proposeOffer(caller, task_id, {
            toWorker: String(input.worker_amount_usd),
            expiresAt: new Date(input.expires_at),
            nonce: input.nonce.toLowerCase(),
            signature: input.signature,
            message: input.note ?? null,
            payments: paymentsOf(input),
          }),
        ),
      ),
    'offers.acceptChallenge': async ({ caller }, { offer_id }) =>
      done(presentAcceptChallenge(await market.acceptChallenge(caller, offer_id))),
    'offers.accept': async ({ caller }, { offer_id, signature, lifecycle_order: order, ...input }) =>
      answerAccepted(
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
      ),
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
