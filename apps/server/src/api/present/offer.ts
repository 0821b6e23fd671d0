import type { Operations, OutputOf } from '@ergon/contract'
import type { AcceptChallenge, AcceptedOffer, Offer, OfferChallenge, OfferPaymentsAsked } from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../../dispatch/handlers.ts'
import { instant } from './instant.ts'
import { usd } from './money.ts'
import { presentAsked, presentTypedData } from './typed-data.ts'

/** An offer, without the direct payments that may have come with it. */
export function presentOffer(offer: Offer): OutputOf<Operations['offers.propose']> {
  const { words } = offer
  const amount = (atomic: bigint) => usd({ atomic, asset: words.asset })
  return {
    id: offer.id,
    task_id: offer.taskId,
    by: offer.side,
    status: offer.status,
    worker_amount_usd: amount(words.toWorker),
    payer_amount_usd: amount(words.toPayer),
    publisher_wallet: words.payer,
    worker_wallet: words.worker,
    payment_info_hash: words.payment,
    note: offer.message,
    nonce: words.nonce,
    signature: offer.signature,
    answer: offer.answer,
    created_at: instant(offer.createdAt),
    expires_at: instant(offer.expiresAt),
  }
}

type Asked = NonNullable<OfferPaymentsAsked['fee']>

const asked = (one: Asked | null) => (one === null ? null : presentAsked(one))

const askedOf = (payments: OfferPaymentsAsked | null) => ({
  settlement_auth_worker: asked(payments?.payout ?? null),
  settlement_auth_fee: asked(payments?.fee ?? null),
})

export function presentOfferChallenge(challenge: OfferChallenge): OutputOf<Operations['offers.challenge']> {
  return {
    task_id: challenge.taskId,
    typed_data: presentTypedData(challenge.typedData),
    worker_amount_usd: usd(challenge.toWorker),
    payer_amount_usd: usd(challenge.toPayer),
    nonce: challenge.nonce,
    expires_at: instant(challenge.expiresAt),
    ...askedOf(challenge.payments),
  }
}

export function presentAcceptChallenge({
  offer,
  typedData,
  release,
  payments,
}: AcceptChallenge): OutputOf<Operations['offers.acceptChallenge']> {
  return {
    offer: presentOffer(offer),
    typed_data: presentTypedData(typedData),
    release:
      release === null
        ? null
        : {
            typed_data: presentTypedData(release.typedData),
            order: { action: 'release', deadline: release.deadline, nonce: release.nonce },
          },
    ...askedOf(payments),
  }
}

export function answerAccepted({ state, offer }: AcceptedOffer): AnswerOf<Operations['offers.accept']> {
  const body = presentOffer(offer)
  return state === 'settling' ? inFlight(body) : done(body)
}
