import * as Type from 'typebox'
import { closed, id, instant, nullable, open, optional, usd, wallet } from '../schema.ts'
import { channelStates, meterUnits } from '../vocabulary.ts'

const base58 = (description: string, minLength: number, maxLength: number) =>
  Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]+$', minLength, maxLength, description })

/** 32 bytes in base58; letters differ by their case. */
export const ledgerAddress = (description: string) => base58(description, 32, 44)
/** 64 bytes in base58: a signature, which is also what a transaction is called by. */
export const ledgerSignature = (description: string) => base58(description, 64, 88)
const microUsd = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description} Millionths of a dollar.` })
const basisPoints = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description })

const meterFields = {
  task_id: id('The task.'),
  channel_id: nullable(ledgerAddress('The channel that funds it; null before one is bound.')),
  state: Type.Enum([...channelStates]),
  rail: Type.Enum(['solana_channel']),
  unit: Type.Enum([...meterUnits]),
  price_per_unit: Type.String({ description: 'Price of one unit, decimal.' }),
  cap_usd: usd('The most the publisher can lose.'),
  units_accepted: Type.Number({ description: 'Units of accepted work; a fraction for units of time.' }),
  consumed_usd: usd('What they cost.'),
  consumed_uusdc: microUsd('The same.'),
  consumed_share: Type.Number({ minimum: 0, maximum: 1, description: 'Of what may be spent.' }),
  remaining_usd: usd('What may still be spent.'),
  rate_usd_per_sec: nullable(Type.Number({ description: 'Of units of time; null for countable units.' })),
  fee_bps: basisPoints('Fee on what is settled.'),
  worker_usd: usd('What the worker gets of what was consumed.'),
  fee_usd: usd('The fee on it.'),
  settled_usd: usd('Paid out on the ledger.'),
  refund_usd: nullable(usd('What went back to the payer; null before the channel is settled.')),
  settlement_tx: nullable(ledgerSignature('The transaction that settled it.')),
  updated_at: instant('Of the last change.'),
}

/** What a stream of a meter is. */
export const meterEvents =
  'text/event-stream: `meter` events, whose data is the meter; `end` behind the last, when it changes no more.'

/** What a metered task has consumed so far (decision 0149): its settlement, and none of its vouchers. */
export const meter = open(meterFields)

/** A metered session as everybody may see it (decision 0204): what is paid for, and how far it is. */
export const stream = open({
  ...meterFields,
  session_id: id('The session; the routes of channels take it as their task_id.'),
  buyer_wallet: wallet('Who pays.'),
  executor_id: id('Who works.'),
  note: nullable(Type.String({ description: 'What its buyer says about it.' })),
  is_over: Type.Boolean({ description: 'True once no work is taken any more.' }),
  created_at: instant('When its buyer began it.'),
  ends_at: instant('When it ends, whatever is left.'),
})

const publicFields = {
  task_id: id('The task.'),
  channel_id: ledgerAddress('The channel.'),
  network: Type.String(),
  program_id: ledgerAddress('The program that holds its money.'),
  mint: ledgerAddress('Of the token.'),
  token: Type.String(),
  payer: ledgerAddress('Who funded it.'),
  payee: ledgerAddress('Who seals it and takes the fee: this deployment.'),
  worker: ledgerAddress('Where the worker is paid.'),
  splits: Type.Array(open({ recipient: ledgerAddress('Who.'), bps: basisPoints('The share of what is settled.') })),
  authorized_signer: ledgerAddress('Whose signature makes a voucher.'),
  voucher_signer: Type.Enum(['operator', 'client']),
  deposit_usd: usd('What is in it.'),
  cap_usd: usd('The most that may be spent of it.'),
  settled_usd: usd('Paid out on the ledger.'),
  status: Type.Enum([...channelStates]),
  opened_at: instant('When it was bound.'),
  closing_at: nullable(instant('Since when it takes no more work.')),
  settlement_tx: nullable(ledgerSignature('The transaction that settled it.')),
  waits_for: nullable(
    Type.Enum(['payer_account'], {
      description: 'The worker is paid, and the payer has the rest as soon as it has an account for the token.',
    }),
  ),
}

/** A channel as everybody may see it: no vouchers, no evidence. */
export const publicChannel = open(publicFields)

/** What the payer of a channel signs to open it for a task, and what that transaction does. */
export const channelOffer = open({
  task_id: publicFields.task_id,
  channel_id: publicFields.channel_id,
  network: publicFields.network,
  program_id: publicFields.program_id,
  mint: publicFields.mint,
  token: publicFields.token,
  payer: publicFields.payer,
  payee: publicFields.payee,
  worker: publicFields.worker,
  splits: publicFields.splits,
  authorized_signer: publicFields.authorized_signer,
  voucher_signer: publicFields.voucher_signer,
  unit: Type.Enum([...meterUnits]),
  price_per_unit: Type.String({ description: 'Price of one unit, decimal.' }),
  cap_usd: usd('The most the task may cost.'),
  deposit_usd: usd('What the transaction puts in: the most its payer can lose.'),
  grace_period_seconds: Type.Integer({ description: 'So long after asking for its exit the payer has the rest back.' }),
  memo: Type.String({ description: 'What the transaction says beside the opening; it names the task.' }),
  transaction: Type.String({ description: 'Base64, version 0, unsigned; good for about a minute.' }),
})

/** The newest voucher: who has it can collect without this deployment. */
export const voucher = open({
  voucher: open({
    channelId: ledgerAddress('The channel.'),
    cumulativeAmount: Type.String({ pattern: '^[0-9]+$', description: 'In all, never a difference; base units.' }),
    expiresAt: Type.Integer({ description: '0: never.' }),
  }),
  signer: ledgerAddress('Who signed it.'),
  signature: ledgerSignature('Over the 50 bytes of the voucher.'),
  signatureType: Type.Enum(['ed25519']),
})

/** A voucher that the buyer signed, as the scheme of sessions writes it. */
export const givenVoucher = closed({
  voucher: closed({
    channelId: ledgerAddress('The channel.'),
    cumulativeAmount: Type.String({
      pattern: '^(0|[1-9][0-9]{0,17})$',
      description: 'All that was accepted and this unit; base units.',
    }),
    expiresAt: optional(Type.Integer({ minimum: 0, maximum: 0, description: '0: never; nothing else is taken.' })),
  }),
  signer: optional(ledgerAddress('The key that signs for the buyer; it must match, if given.')),
  signature: ledgerSignature('By that key, over the 50 bytes of the voucher.'),
  signatureType: optional(Type.Enum(['ed25519'])),
})

/** A channel as its publisher and its worker see it. */
export const channel = open({
  ...publicFields,
  vouchers: Type.Integer({ description: 'How many were accepted.' }),
  newest_voucher: nullable(voucher),
})

/** What one accepted unit of work answers. */
export const acceptedTick = open({
  task_id: id('The task.'),
  channel_id: ledgerAddress('The channel.'),
  voucher_index: Type.Integer({ minimum: 1, description: 'Of the voucher that it raised.' }),
  unit: Type.Enum([...meterUnits]),
  amount_uusdc: microUsd('What it costs.'),
  cumulative_uusdc: microUsd('What all of them cost.'),
  remaining_uusdc: microUsd('What may still be spent.'),
  delivery_id: id('This unit of work.'),
  accepted_at: instant('When.'),
  replayed: optional(Type.Boolean({ description: 'True: it was accepted before, under this key.' })),
})

/** What happened to a channel, in the order it happened. */
export const channelEvent = open({
  event: Type.Enum(['session_open', 'voucher_accepted', 'session_close', 'settlement_complete']),
  channel_id: ledgerAddress('The channel.'),
  received_at: instant('When.'),
  cumulative_uusdc: microUsd('What all accepted work cost by then.'),
  voucher_index: Type.Integer({ minimum: 0, description: 'Of the newest voucher by then; 0 before the first.' }),
  tx_hash: nullable(ledgerSignature('The transaction that settled it.')),
  payload: Type.Record(Type.String(), Type.Unknown(), { description: 'Of a voucher: the work, and its signature.' }),
})
