import * as Type from 'typebox'
import { operation } from '../operation.ts'
import {
  acceptedTick,
  channel,
  channelOffer,
  givenVoucher,
  ledgerAddress,
  ledgerSignature,
} from '../resources/meter.ts'
import { closed, id, idempotencyKey, open, optional, text } from '../schema.ts'
import { headerNames, limits, meterUnits } from '../vocabulary.ts'

const section = 'channels'
const task_id = id('The task.')
const authorized_signer = optional(
  ledgerAddress('The key of the buyer that signs each voucher; left out, this service signs as it accepts work.'),
)

/** What can be wrong with a task that is to be funded. */
const offered = [
  'TASK_NOT_FOUND',
  'FORBIDDEN',
  'NO_PAYEE_RESOLVED',
  'TASK_NOT_SUBMITTABLE',
  'DEADLINE_PASSED',
  'NETWORK_CLOSED',
  'channel_unreadable',
  'WORKER_USDC_ATA_MISSING',
  'WORKER_USDC_ATA_UNVERIFIABLE',
] as const

/** What publisher and worker do with the channel that funds a metered task (spec §1, §4). */
export const channels = {
  'channels.offer': operation({
    section,
    summary: 'The transaction that opens a channel for a metered task; its payer signs it, this service pays its fee.',
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, session: true },
    input: closed({
      task_id,
      payer: ledgerAddress('Who is to open it.'),
      deposit_usd: optional(
        Type.String({
          pattern: '^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,6})?$',
          description: 'What is put in, decimal; the cap of the task when left out.',
        }),
      ),
      authorized_signer,
    }),
    output: channelOffer,
    success: 200,
    errors: [...offered, 'CHANNEL_NOT_REUSABLE'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/channel/offer' }],
  }),
  'channels.open': operation({
    section,
    summary: 'Open a channel with the transaction of an offer, signed by its payer, and fund the task with it.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({
      task_id,
      payer: ledgerAddress('Who signed it.'),
      transaction: Type.String({
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        maxLength: 1_648,
        description: 'Base64. A transaction with another instruction or amount is refused.',
      }),
      authorized_signer,
    }),
    output: channel,
    success: 200,
    resend: 'again',
    errors: [...offered, 'CHANNEL_NOT_ON_CHAIN', 'CHANNEL_NOT_YOURS', 'CHANNEL_NOT_REUSABLE', 'SESSION_CAP_EXCEEDED'],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/channel/open' }],
  }),
  'channels.close': operation({
    section,
    summary:
      'End the pay of a metered task: what was accepted is paid, the rest goes back. 202 while it is carried out.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true, banned: 'admitted' },
    input: closed({ task_id }),
    output: channel,
    success: 200,
    inFlight: true,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'no_channel_bound'],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/channel/close' }],
  }),
  'channels.bind': operation({
    section,
    summary:
      'Fund a metered task by a channel that is open on its ledger; the key that opened it proves itself by a signature.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({
      task_id,
      channel_id: ledgerAddress('The channel.'),
      payer: ledgerAddress('Who opened it.'),
      payee: optional(ledgerAddress('The address of the worker; it must match, if given.')),
      authorized_signer,
      message: text(
        '`Channel of a task`, then a line each of `Service: `, `Wallet: `, `Task: `, `Channel: `, `Payer: ` and `Issued At: ` with its value; at most ten minutes old.',
        1,
        limits.signInMessageMax,
      ),
      signature: ledgerSignature('By the key of the payer over the UTF-8 bytes of the message.'),
    }),
    output: channel,
    success: 200,
    resend: 'again',
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'NO_PAYEE_RESOLVED',
      'PAYOUT_PROOF_INVALID',
      'TASK_NOT_SUBMITTABLE',
      'DEADLINE_PASSED',
      'NETWORK_CLOSED',
      'CHANNEL_NOT_YOURS',
      'CHANNEL_NOT_ON_CHAIN',
      'CHANNEL_NOT_REUSABLE',
      'channel_unreadable',
      'WORKER_USDC_ATA_MISSING',
      'WORKER_USDC_ATA_UNVERIFIABLE',
    ],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/channel' }],
  }),
  'channels.get': operation({
    section,
    summary: 'The channel of a metered task with its newest voucher, for its publisher and its worker.',
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, session: true, banned: 'admitted' },
    input: closed({ task_id }),
    output: channel,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'no_channel_bound'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/channel' }],
  }),
  'channels.tick': operation({
    section,
    summary: 'One unit of work with its evidence, from the worker or the publisher. A refused one costs nothing.',
    access: { by: 'wallet', scope: 'worker:submit', unsigned: 401, session: true },
    input: closed({
      task_id,
      evidence: Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 50,
        description: 'The evidence of the unit of work; at most 4,096 characters as JSON.',
      }),
      unit: optional(Type.Enum([...meterUnits], { description: 'The unit of the task; it must match, if given.' })),
      payee: optional(ledgerAddress('The address of the worker; it must match, if given.')),
      note: optional(text('A word about it.', 0, 500)),
      voucher: optional(givenVoucher),
      idempotency_key: optional(idempotencyKey()),
    }),
    output: open({ success: Type.Boolean(), data: acceptedTick }),
    success: 200,
    resend: 'kept',
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'no_channel_bound',
      'TASK_NOT_SUBMITTABLE',
      'CHANNEL_EXPIRED',
      'SESSION_CAP_EXCEEDED',
    ],
    rest: [
      {
        method: 'POST',
        path: '/api/v1/tasks/{task_id}/tick',
        headers: { idempotency_key: headerNames.idempotencyKey },
      },
      {
        method: 'POST',
        path: '/api/v1/tasks/{task_id}/scan',
        headers: { idempotency_key: headerNames.idempotencyKey },
      },
    ],
  }),
}
