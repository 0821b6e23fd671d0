import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { asked, offer } from '../resources/offer.ts'
import { lifecycleOrder, orderToSign } from '../resources/work.ts'
import {
  closed,
  hex32,
  id,
  instant,
  nullable,
  open,
  optional,
  shortSlice,
  signatureText,
  sliced,
  text,
  typedData,
  usd,
} from '../schema.ts'
import { limits } from '../vocabulary.ts'

const section = 'disputes'
const task_id = id('The task.')
const offer_id = id('The offer.')
const path = '/api/v1/tasks/{task_id}/settlements'
const one = '/api/v1/settlements/{offer_id}'
const reads = { by: 'wallet', scope: null, unsigned: 403, session: true } as const
const changes = { by: 'wallet', scope: null, unsigned: 401, session: true } as const
const share = usd('What goes to the worker, fee included; the rest of what the task holds goes back to the payer.', {
  minimum: 0,
  maximum: limits.bountyMaxUsd,
})
const auth = (description: string) => optional(text(description, 2, limits.paymentAuthMax))
const payments = {
  settlement_auth_worker: auth(
    'Mode fase1: the signed direct payment of the worker, as JSON text; from the payer alone.',
  ),
  settlement_auth_fee: auth('Mode fase1: the signed direct payment of the fee.'),
}

export const offers = {
  'offers.list': operation({
    section,
    summary: 'What publisher and worker of a task offered one another, newest first; twenty at most.',
    access: reads,
    input: closed({ task_id, ...shortSlice }),
    output: open({ offers: Type.Array(offer, { maxItems: 20 }), ...sliced }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'OFFER_NOT_OPEN'],
    rest: [{ method: 'GET', path }],
  }),
  'offers.challenge': operation({
    section,
    summary: 'The words to sign for an offer: how much goes to the worker, and the rest back to the payer.',
    access: reads,
    input: closed({
      task_id,
      worker_amount_usd: share,
      valid_hours: optional(
        Type.Integer({ minimum: 1, maximum: 336, default: 72, description: 'How long it can be accepted.' }),
      ),
    }),
    output: open({
      task_id,
      typed_data: typedData(),
      worker_amount_usd: usd('What goes to the worker.'),
      payer_amount_usd: usd('What goes back to the payer.'),
      nonce: hex32('Single use.'),
      expires_at: instant('Until when it can be accepted; part of what is signed.'),
      settlement_auth_worker: asked,
      settlement_auth_fee: asked,
    }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'OFFER_NOT_OPEN', 'PAYOUT_NON_POSITIVE', 'CHAIN_UNAVAILABLE'],
    rest: [{ method: 'GET', path: `${path}/challenge` }],
  }),
  'offers.propose': operation({
    section,
    summary: 'Offer a settlement to the other side, signed; an earlier open offer of yours is withdrawn.',
    access: changes,
    input: closed({
      task_id,
      worker_amount_usd: share,
      expires_at: optional(Type.String({ format: 'date-time', maxLength: 40, description: 'Of the challenge.' })),
      nonce: optional(hex32('Of the challenge.')),
      signature: optional(signatureText('Over the words of the challenge.')),
      note: optional(text('What the other side reads with it.', 1, limits.commentMax)),
      ...payments,
    }),
    output: offer,
    success: 201,
    resend: 'recovered',
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'OFFER_NOT_OPEN',
      'INVALID_SIGNATURE',
      'SETTLEMENT_SIGNATURE_REQUIRED',
      'PAYMENT_AUTH_MISSING',
      'PAYOUT_NON_POSITIVE',
      'APPROVAL_IN_FLIGHT',
      'CHAIN_UNAVAILABLE',
      'INVALID_PAYMENT_AUTH',
      'NETWORK_MISMATCH',
      'FORBIDDEN_RECEIVER',
      'AMOUNT_MISMATCH',
      'SELF_PAYMENT_BLOCKED',
    ],
    rest: [{ method: 'POST', path }],
  }),
  'offers.acceptChallenge': operation({
    section,
    summary: 'All that the other side signs to accept an offer.',
    access: reads,
    input: closed({ offer_id }),
    output: open({
      offer,
      typed_data: typedData(),
      release: nullable(
        open(
          {
            typed_data: typedData(),
            order: orderToSign,
          },
          "The release order of the worker's share, for the payer; null where none is needed.",
        ),
      ),
      settlement_auth_worker: asked,
      settlement_auth_fee: asked,
    }),
    success: 200,
    errors: ['OFFER_NOT_FOUND', 'OFFER_NOT_OPEN', 'FORBIDDEN', 'CHAIN_UNAVAILABLE'],
    rest: [{ method: 'GET', path: `${one}/challenge` }],
  }),
  'offers.accept': operation({
    section,
    summary: 'Accept an offer by signing the same words; the money moves as they say.',
    access: changes,
    input: closed({
      offer_id,
      signature: optional(signatureText('Over the words of the offer.')),
      lifecycle_order: optional(lifecycleOrder),
      ...payments,
    }),
    output: offer,
    success: 200,
    inFlight: true,
    resend: 'recovered',
    errors: [
      'OFFER_NOT_FOUND',
      'OFFER_NOT_OPEN',
      'FORBIDDEN',
      'INVALID_SIGNATURE',
      'SETTLEMENT_SIGNATURE_REQUIRED',
      'PAYMENT_AUTH_MISSING',
      'LIFECYCLE_ORDER_INVALID',
      'APPROVAL_IN_FLIGHT',
      'AUTHORIZATION_EXPIRED',
      'ESCROW_NOT_RELEASABLE',
      'ESCROW_NOT_REFUNDABLE',
      'SETTLEMENT_FAILED',
      'CHAIN_UNAVAILABLE',
      'INSUFFICIENT_FUNDS',
      'INVALID_PAYMENT_AUTH',
      'NETWORK_MISMATCH',
      'FORBIDDEN_RECEIVER',
      'AMOUNT_MISMATCH',
      'SELF_PAYMENT_BLOCKED',
    ],
    rest: [{ method: 'POST', path: `${one}/accept` }],
  }),
  'offers.close': operation({
    section,
    summary: 'Refuse an offer of the other side, or withdraw your own.',
    access: changes,
    input: closed({ offer_id }),
    output: offer,
    success: 200,
    resend: 'recovered',
    errors: ['OFFER_NOT_FOUND', 'OFFER_NOT_OPEN', 'FORBIDDEN'],
    rest: [{ method: 'POST', path: `${one}/close` }],
  }),
}
