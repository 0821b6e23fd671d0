import * as Type from 'typebox'
import { listOfOwn, operation } from '../operation.ts'
import { meterEvents, stream } from '../resources/meter.ts'
import { closed, id, open, optional, page, paging, text } from '../schema.ts'
import { headerNames, limits } from '../vocabulary.ts'
import { channels } from './channels.ts'
import { decimalText } from './tasks.ts'

const section = 'streams'
const path = '/api/v1/streams/session'
const session_id = id('The session.')
const access = { by: 'anyone', scope: 'task:read', session: true } as const
const { task_id: _task, unit: _unit, ...tickFields } = channels['channels.tick'].input.properties

/** Time of a worker, paid as it passes, without a task and without anything to hand in (spec §4, decision 0204). */
export const streams = {
  'streams.start': operation({
    section,
    summary: 'Begin a metered session with a worker. It is funded like a task, under its session_id.',
    access: { by: 'wallet', scope: 'agent:publish', unsigned: 401, identity: true, session: true },
    spends: 'publish',
    input: closed({
      executor_id: id('Who works: a worker with a payout address on the ledger.'),
      unit: optional(Type.Enum(['second', 'minute', 'hour'], { default: 'minute' })),
      price_per_unit: decimalText('Price of one unit, decimal.'),
      cap_usd: decimalText('The most the buyer can lose, decimal.'),
      hours: optional(
        Type.Integer({
          minimum: limits.deadlineHoursMin,
          maximum: limits.deadlineHoursMax,
          default: limits.deadlineHoursDefault,
          description: 'How long it may last.',
        }),
      ),
      note: optional(text('What it is about; public.', 1, limits.orderInstructionsMax)),
    }),
    output: stream,
    success: 201,
    resend: 'recovered',
    errors: [
      'WORKER_NOT_FOUND',
      'WORKER_BLOCKED',
      'PARTY_BLOCKED',
      'SELF_PAYMENT_BLOCKED',
      'NO_PAYEE_RESOLVED',
      'SESSION_CAP_EXCEEDED',
      'NETWORK_CLOSED',
      'FEE_UNPAID',
    ],
    rest: [{ method: 'POST', path }],
  }),
  'streams.list': operation({
    section,
    summary: 'Sessions that the caller pays, or is paid by, newest first; those that are over included.',
    access: { ...listOfOwn, scope: 'task:read' },
    input: closed({
      role: optional(Type.Enum(['buyer', 'worker'], { default: 'buyer', description: 'The role of the caller.' })),
      ...paging,
    }),
    output: open({ sessions: Type.Array(stream), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path }],
  }),
  'streams.get': operation({
    section,
    summary: 'A metered session: what it has consumed, and what may still be spent.',
    access,
    input: closed({ session_id }),
    output: stream,
    success: 200,
    errors: ['TASK_NOT_FOUND'],
    rest: [{ method: 'GET', path: `${path}/{session_id}` }],
  }),
  'streams.tick': operation({
    section,
    summary: 'Count the time since the last tick, at most one unit of it, with its evidence. Either side may send it.',
    access: channels['channels.tick'].access,
    input: closed({ session_id, ...tickFields }),
    output: channels['channels.tick'].output,
    success: 200,
    resend: 'kept',
    errors: channels['channels.tick'].errors,
    rest: [
      {
        method: 'POST',
        path: `${path}/{session_id}/tick`,
        headers: { idempotency_key: headerNames.idempotencyKey },
      },
    ],
  }),
  'streams.stop': operation({
    section,
    summary: 'End a session, from either side: accepted time is paid, the rest goes back. 202 while it is carried out.',
    access: channels['channels.close'].access,
    input: closed({ session_id }),
    output: stream,
    success: 200,
    inFlight: true,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'POST', path: `${path}/{session_id}/stop` }],
  }),
  'streams.stream': operation({
    section,
    summary: 'The meter of a session as server-sent events: how it is, then each change.',
    access,
    input: closed({ session_id }),
    output: Type.String({ description: meterEvents }),
    success: 200,
    errors: ['TASK_NOT_FOUND'],
    rest: [{ method: 'GET', path: `${path}/{session_id}/events` }],
    raw: true,
  }),
}
