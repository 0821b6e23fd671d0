import * as Type from 'typebox'
import {
  hex32,
  id,
  instant,
  nullable,
  open,
  optional,
  payAddress,
  score,
  text,
  usd,
  wallet,
  txHash,
  closed,
} from '../schema.ts'
import { correlation } from './correlation.ts'
import { pictureUrl } from './picture.ts'
import { position } from './position.ts'
import {
  applicationStatuses,
  checkReasonCodes,
  disputeReasons,
  disputeStatuses,
  disputeVerdicts,
  escrowStatuses,
  evidenceTypes,
  limits,
  parties,
  paymentEventStatuses,
  paymentEventTypes,
  paymentModes,
  submissionStatuses,
} from '../vocabulary.ts'

export const application = open({
  id: id('The application.'),
  task_id: id('The task.'),
  executor_id: id('The worker.'),
  wallet_address: wallet('The wallet of the worker.'),
  display_name: nullable(Type.String({ description: 'What the worker goes by.' })),
  picture_url: pictureUrl('the worker'),
  executor_type: Type.Enum([...parties]),
  status: Type.Enum([...applicationStatuses]),
  message: nullable(Type.String({ description: 'Cover note.' })),
  created_at: instant('When it was made.'),
  avg_rating: nullable(Type.Number({ description: '0-5.' })),
  effective_reputation_score: nullable(
    Type.Number({ description: '0-100; what every min_reputation gate compares against.' }),
  ),
  onchain_reputation_score: nullable(Type.Number()),
  reputation_score: nullable(Type.Number()),
  erc8004_agent_id: nullable(Type.Integer()),
  tasks_completed: Type.Integer(),
  counterparty_correlation: correlation('the publisher who asks'),
})

/**
 * Evidence by type. Links are those GET /api/v1/evidence/presign-upload gave; other types follow the rule of their
 * type.
 */
export const evidence = Type.Object(
  Object.fromEntries(
    evidenceTypes.map((type) => [
      type,
      type === 'gps'
        ? optional(position)
        : type === 'text_response' || type === 'text_report'
          ? optional(text('Free text.', 1, limits.textResponseMax))
          : optional(Type.Unknown({ description: 'An uploaded link, or a value of the kind this type asks for.' })),
    ]),
  ),
  { additionalProperties: false, minProperties: 1, maxProperties: 2 * limits.evidenceMax },
)

export const check = open({
  name: Type.String(),
  result: Type.Enum(['passed', 'failed', 'inconclusive', 'not_applicable', 'not_configured', 'error']),
  reason: Type.String({ description: 'Why, in English: the sentence of `reason_code` with `figures`.' }),
  reason_code: nullable(
    Type.Enum([...checkReasonCodes], {
      description: 'Why, from a closed list; null for work that was checked before there were codes.',
    }),
  ),
  figures: nullable(
    Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
      description:
        'What the reason is made of: counts, measures with their unit in the name (`_m`, `_s`, `_h`, `_kmh`) and, as `words` or `cause`, text that is data. Null where `reason_code` is.',
    }),
  ),
})

/** What is left of evidence that the operator took down. */
export const takenDown = nullable(
  open({
    at: instant('When the operator took the evidence down.'),
    hashes: Type.Record(Type.String(), Type.String(), {
      description:
        'SHA-256 in hex of each piece, by its type (`notes` as well): of the bytes of a file, of a text in UTF-8, of any other value as PostgreSQL writes jsonb.',
    }),
  }),
)

export const submission = open({
  id: id('The submission.'),
  task_id: id('The task.'),
  executor_id: id('The worker.'),
  status: Type.Enum([...submissionStatuses]),
  submitted_at: instant('When it was submitted.'),
  pre_check_score: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Weighted share of decided checks; null while none is decided.',
    }),
  ),
  coverage: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Share of the checks that could decide.' })),
  checks: Type.Array(check),
  verification: Type.Enum(['pending', 'done'], {
    description: 'Checks run within 60 seconds of submission; until then only the form is checked.',
  }),
  verified_at: nullable(instant('When the checks were done.')),
  evidence: Type.Record(Type.String(), Type.Unknown()),
  notes: nullable(Type.String()),
  taken_down: takenDown,
  rejection_reason: nullable(Type.String()),
  payment_tx: txHash('The payment.'),
  decided_at: nullable(instant('When it was approved or rejected.')),
  evidence_accessed_at: nullable(instant('When the publisher first read it.')),
})

export const worker = open({
  id: id('The worker.'),
  wallet_address: wallet('The payout wallet.'),
  display_name: nullable(Type.String()),
  picture_url: pictureUrl('the worker'),
  executor_type: Type.Enum([...parties]),
  erc8004_agent_id: nullable(Type.Integer()),
  tasks_completed: Type.Integer(),
  avg_rating: nullable(Type.Number()),
  reputation_score: nullable(Type.Number()),
  onchain_reputation_score: nullable(Type.Number()),
  effective_reputation_score: nullable(Type.Number()),
  created_at: instant('When it registered.'),
})

/** The eleven-key PaymentInfo of the escrow wire. */
export const paymentInfo = open({
  operator: wallet('Operator contract.'),
  receiver: wallet('Payee.'),
  token: wallet('Token contract.'),
  maxAmount: Type.String({ description: 'Atomic units, decimal.' }),
  preApprovalExpiry: Type.Integer(),
  authorizationExpiry: Type.Integer(),
  refundExpiry: Type.Integer(),
  minFeeBps: Type.Integer(),
  maxFeeBps: Type.Integer(),
  feeReceiver: wallet('Fee receiver: the operator contract.'),
  salt: hex32('Salt.'),
})

export const escrow = open({
  task_id: id('The task.'),
  status: Type.Enum([...escrowStatuses]),
  network: Type.String(),
  token: Type.String(),
  amount_usd: usd('Amount held or once held.'),
  payer: nullable(wallet('Who signed the funds.')),
  receiver: nullable(wallet('Who is paid.')),
  payment_info: nullable(paymentInfo),
  payment_info_hash: nullable(hex32('Key of the payment on chain.')),
  capturable_usd: nullable(usd('What the chain holds for this payment now; null when it could not be read.')),
  authorization_expires_at: nullable(instant('After this the payer may reclaim.')),
  escrow_tx: txHash('The lock.'),
  release_tx: txHash('The release.'),
  refund_tx: txHash('The refund.'),
})

export const paymentEvent = open({
  id: id('The entry.'),
  type: Type.Enum([...paymentEventTypes]),
  status: Type.Enum([...paymentEventStatuses]),
  task_id: id('The task.'),
  amount_usd: nullable(usd('Amount moved.')),
  from_address: nullable(payAddress('Who paid.')),
  to_address: nullable(payAddress('Who was paid.')),
  network: Type.String(),
  token: Type.String(),
  tx_hash: txHash('The transaction; null when it could not be named.'),
  note: nullable(Type.String()),
  timestamp: instant('When it was recorded.'),
})

export const dispute = open({
  id: id('The dispute.'),
  task_id: id('The task.'),
  submission_id: id('The submission.'),
  status: Type.Enum([...disputeStatuses]),
  reason: Type.Enum([...disputeReasons]),
  description: Type.String(),
  criteria: Type.Array(Type.String()),
  opened_by: Type.Enum(['publisher', 'worker', 'admin', 'service']),
  created_at: instant('When it was opened.'),
})

/** A dispute with its parties and what was decided. */
export const disputeRecord = Type.Intersect([
  dispute,
  open({
    publisher_wallet: wallet('The payer.'),
    executor_id: id('The worker.'),
    worker_wallet: wallet('The wallet of the worker.'),
    disputed_amount_usdc: usd('The bounty in dispute.'),
    verdict: nullable(Type.Enum([...disputeVerdicts])),
    split_pct: nullable(
      Type.Integer({ description: "The payer's share in percent, of a split; of an agreement rounded." }),
    ),
    resolution_reason: nullable(Type.String()),
    publisher_refund_usdc: nullable(usd('What goes back to the payer; null while nothing is decided.')),
    worker_gross_usdc: nullable(
      usd('What leaves the escrow for the worker, fee included; null while nothing is decided.'),
    ),
    payment_tx: txHash('The payment of the worker.'),
    refund_tx: txHash('The refund.'),
    resolved_at: nullable(instant('When it was over.')),
  }),
])

export const disputeStatement = open({
  id: id('The statement.'),
  dispute_id: id('The dispute.'),
  side: Type.Enum(['publisher', 'worker']),
  statement: Type.String(),
  links: Type.Array(Type.String()),
  created_at: instant('When it was added.'),
})

const ordered = Type.Enum(['release'], { description: 'What is ordered.' })

/** A release order as challenges hand it out; with a signer and a signature it is a `lifecycleOrder`. */
export const orderToSign = open({
  action: ordered,
  deadline: Type.Integer({ description: 'Unix seconds; hand it in before.' }),
  nonce: hex32('Single use.'),
})

/** The release order as it comes back signed (facilitator `lifecycleAuth`). */
export const lifecycleOrder = closed({
  action: optional(ordered),
  signer: wallet('Who signed: the payer.'),
  deadline: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Unix seconds, at most 900 ahead.',
  }),
  nonce: hex32('Single use.'),
  signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2})+$', minLength: 4, maxLength: 4_096 }),
})

/** What an approval answers. */
export const ratingStatus = nullable(
  Type.Enum(['on_its_way', 'not_written'], {
    description:
      'What becomes of the rating that came with the call; null without one. not_written: the worker has no identity ' +
      'yet and could not be given one; rate again with reputation/workers/rate.',
  }),
)
export const approval = open({
  task_id: id('The task.'),
  submission_id: id('The submission.'),
  status: Type.Enum(['approved', 'approving']),
  payment_tx: txHash('The payment; null means it could not be named, not that nothing was paid.'),
  fee_tx: txHash('The fee on its way to the treasury; null while it is on its way.'),
  escrow_release_tx: txHash('The release of the escrow, in escrow modes.'),
  network: Type.String(),
  token: Type.String(),
  payment_mode: Type.Enum([...paymentModes]),
  gross_amount_usdc: usd('Gross.'),
  worker_net_usdc: usd('Payout.'),
  platform_fee_usdc: usd('Fee.'),
  rating_status: optional(ratingStatus),
})

export const ratingScore = score('0 worst, 100 best.')
