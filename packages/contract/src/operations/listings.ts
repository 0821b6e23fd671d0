import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { listing } from '../resources/listing.ts'
import { closed, id, instant, networkName, open, optional, page, paging, slice, sliced, text, usd } from '../schema.ts'
import {
  categories,
  escrowStatuses,
  evidenceTypes,
  headerNames,
  limits,
  listingAvailabilities,
  listingSorts,
  taskStatuses,
} from '../vocabulary.ts'

const section = 'services'
const listing_id = id('The listing.')
const fields = {
  title: text('Title.', limits.titleMin, limits.titleMax),
  description: text(
    'What the buyer gets; becomes the instructions of an order.',
    limits.instructionsMin,
    limits.instructionsMax,
  ),
  category: Type.Enum([...categories]),
  unit_price_usd: usd('Price of one order in US dollars, at most six decimals; within the bounds of a bounty.', {
    minimum: 0,
    maximum: limits.bountyMaxUsd,
  }),
  skills: Type.Array(text('A skill.', 1, limits.skillMax), {
    maxItems: limits.skillsMax,
    description: 'Kept in lower case.',
  }),
  evidence_schema: Type.Array(Type.Enum([...evidenceTypes]), {
    minItems: 1,
    maxItems: limits.evidenceMax,
    uniqueItems: true,
    description: 'Evidence an order asks for; text_response unless said.',
  }),
  accepted_networks: Type.Array(networkName(), {
    minItems: 1,
    maxItems: limits.networksMax,
    uniqueItems: true,
    description: 'Networks an order may be paid on; every escrow network unless said.',
  }),
}
const termErrors = ['INVALID_BOUNTY', 'NETWORK_NO_ESCROW', 'NETWORK_NOT_ACCEPTED', 'LISTING_CAP_REACHED'] as const

export const listings = {
  'listings.create': operation({
    section,
    summary: 'Post a service listing; a seller has at most 20 active ones.',
    access: { by: 'wallet', scope: 'agent:publish', unsigned: 401, identity: true },
    spends: 'publish',
    input: closed({
      title: fields.title,
      description: fields.description,
      category: fields.category,
      unit_price_usd: fields.unit_price_usd,
      skills: optional(fields.skills),
      evidence_schema: optional(fields.evidence_schema),
      payment_network: optional(networkName()),
      accepted_networks: optional(fields.accepted_networks),
    }),
    output: listing,
    success: 201,
    resend: 'recovered',
    errors: termErrors,
    rest: [{ method: 'POST', path: '/api/v1/services' }],
  }),
  'listings.browse': operation({
    section,
    summary: 'Browse active listings.',
    access: { by: 'anyone' },
    input: closed({
      category: optional(Type.Enum([...categories])),
      skills: optional(text('Skills separated by commas; a listing with any of them is shown.', 1, 1_000)),
      seller: optional(
        Type.String({
          pattern: '^(0x[0-9a-fA-F]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$',
          description: 'Listings of this seller, by wallet or executor id.',
        }),
      ),
      min_reputation: optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'Floor of the effective score; an unrated seller clears any floor up to 50.',
        }),
      ),
      max_price_usd: optional(usd('At most this price.', { minimum: 0, maximum: limits.bountyMaxUsd })),
      sort: optional(
        Type.Enum([...listingSorts], {
          default: 'recent',
          description: 'Newest, best reputation (unrated last), or lowest price first.',
        }),
      ),
      ...paging,
    }),
    output: open({ listings: Type.Array(listing), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/services' }],
  }),
  'listings.mine': operation({
    section,
    summary: "The caller's own listings, paused ones included; an unsigned caller has none.",
    access: { by: 'anyone', session: true },
    input: closed({ ...paging }),
    output: open({ listings: Type.Array(listing), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/services/mine' }],
  }),
  'listings.match': operation({
    section,
    summary:
      'Active listings that could do a task: same category, within its bounty, on its network, from a seller who may take it.',
    access: { by: 'anyone' },
    input: closed({
      task_id: id('The task.'),
      ...slice,
    }),
    output: open({ task_id: id('The task.'), listings: Type.Array(listing), ...sliced }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: '/api/v1/services/match/for-task/{task_id}' }],
  }),
  'listings.get': operation({
    section,
    summary: 'Read one listing, paused or not.',
    access: { by: 'anyone' },
    input: closed({ listing_id }),
    output: listing,
    success: 200,
    errors: ['LISTING_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/services/{listing_id}' }],
  }),
  'listings.update': operation({
    section,
    summary: 'Change a listing of your own, or pause it to make room for another.',
    access: { by: 'wallet', scope: 'agent:publish', unsigned: 401 },
    input: closed({
      listing_id,
      availability: optional(Type.Enum([...listingAvailabilities])),
      description: optional(fields.description),
      unit_price_usd: optional(fields.unit_price_usd),
      skills: optional(fields.skills),
      evidence_schema: optional(fields.evidence_schema),
      accepted_networks: optional(fields.accepted_networks),
    }),
    output: listing,
    success: 200,
    resend: 'again',
    errors: ['LISTING_NOT_FOUND', 'FORBIDDEN', ...termErrors],
    rest: [{ method: 'PATCH', path: '/api/v1/services/{listing_id}' }],
  }),
  'listings.order': operation({
    section,
    summary:
      'Order a service: publishes the task, paid by the caller, with the seller as its applicant. Assigning the seller locks the escrow.',
    access: { by: 'wallet', scope: 'agent:publish', unsigned: 401, identity: true },
    spends: 'publish',
    input: closed({
      listing_id,
      bounty_usd_override: optional(
        usd('Must equal the price: guards against a price that has changed.', {
          minimum: 0,
          maximum: limits.bountyMaxUsd,
        }),
      ),
      deadline_hours: optional(
        Type.Integer({
          minimum: limits.deadlineHoursMin,
          maximum: limits.deadlineHoursMax,
          default: limits.deadlineHoursDefault,
        }),
      ),
      custom_instructions: optional(text('What you ask beyond the description.', 1, limits.orderInstructionsMax)),
      payment_network: optional(networkName()),
      payment_auth: optional(
        text(
          'Escrow authorization as raw JSON, signed by the payer for the seller: the same call assigns the seller and locks the bounty.',
          2,
          limits.paymentAuthMax,
        ),
      ),
    }),
    output: open({
      task_id: id('The task of the order.'),
      listing_id,
      seller_executor_id: id('The seller: assign this worker.'),
      bounty_usd: usd('Gross bounty.'),
      escrow_status: Type.Enum([...escrowStatuses]),
      payment_network: Type.String(),
      task_status: Type.Enum([...taskStatuses]),
      deadline: instant('When the task expires.'),
    }),
    success: 201,
    inFlight: true,
    resend: 'recovered',
    errors: [
      'LISTING_NOT_FOUND',
      'LISTING_PAUSED',
      'OWN_LISTING',
      'PARTY_BLOCKED',
      'WORKER_BLOCKED',
      'price_mismatch',
      'NETWORK_NO_ESCROW',
      'NETWORK_NOT_ACCEPTED',
      'NETWORK_CLOSED',
      'TOKEN_NOT_ACCEPTED',
      'INVALID_BOUNTY',
      'INVALID_PAYMENT_AUTH',
      'NETWORK_MISMATCH',
      'FORBIDDEN_RECEIVER',
      'FEE_UNPAID',
      'TASK_NOT_ASSIGNABLE',
      'WORKER_NOT_APPLIED',
      'ESCROW_NOT_ASSIGNABLE',
      'PAYMENT_AUTH_USED',
      'INSUFFICIENT_FUNDS',
      'LOCK_REVERTED',
      'INVALID_SIGNATURE',
      'OPERATOR_MISMATCH',
      'AMOUNT_MISMATCH',
      'AUTHORIZATION_EXPIRED',
      'CHAIN_UNAVAILABLE',
      'SETTLEMENT_FAILED',
    ],
    rest: [
      {
        method: 'POST',
        path: '/api/v1/services/{listing_id}/order',
        headers: { payment_auth: headerNames.paymentAuth },
      },
    ],
  }),
}
