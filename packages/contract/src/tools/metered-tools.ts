import * as Type from 'typebox'
import { headerNames } from '../vocabulary.ts'
import { shownTick } from './shown-evidence.ts'
import type { Tool } from './tool.ts'

/** Work that is paid by the unit, and time that is paid as it passes. */
export const meteredTools = {
  svc_offer_channel: {
    operation: 'channels.offer',
    title: 'Offer a channel',
    effect: 'reads',
    says: 'The transaction that opens a channel for your metered task; its payer signs it, then svc_open_channel.',
  },
  svc_open_channel: {
    operation: 'channels.open',
    title: 'Open a channel',
    effect: 'writes once',
    says: 'Fund your metered task by the signed transaction of svc_offer_channel. deposit_usd of the offer is the most it can cost.',
  },
  svc_close_channel: {
    operation: 'channels.close',
    title: 'Close a channel',
    effect: 'writes once',
    says: 'End the pay of a metered task: accepted work is paid, the rest goes back.',
  },
  svc_bind_channel: {
    operation: 'channels.bind',
    title: 'Fund a metered task',
    effect: 'writes once',
    says: 'Let an open payment channel fund your metered task; the key that opened it signs the message.',
    shown: {
      message: Type.String({ description: 'The text of POST /api/v1/tasks/{task_id}/channel in /openapi.json.' }),
    },
    quiet: ['payee'],
  },
  svc_tick: {
    operation: 'channels.tick',
    title: 'One unit of metered work',
    effect: 'writes',
    says: 'Hand in one unit of work with its evidence; each raises your pay. Stop at SESSION_CAP_EXCEEDED or CHANNEL_EXPIRED.',
    headers: { idempotency_key: headerNames.idempotencyKey },
    shown: { evidence: shownTick },
    quiet: ['payee', 'unit'],
  },
  svc_scan: {
    operation: 'channels.tick',
    title: 'One scan of metered work',
    effect: 'writes',
    says: 'The same as svc_tick.',
    headers: { idempotency_key: headerNames.idempotencyKey },
    shown: { evidence: shownTick },
    quiet: ['payee', 'unit'],
  },
  svc_get_meter: {
    operation: 'meters.get',
    title: 'Meter of a task',
    effect: 'reads',
    says: 'What a metered task has cost so far, and what may still be spent.',
  },
  svc_start_session: {
    operation: 'streams.start',
    title: 'Begin a metered session',
    effect: 'writes',
    says: "Pay a worker's time as it passes, with nothing to hand in. Fund it by svc_offer_channel and svc_open_channel with session_id as task_id; cap_usd is the most it can cost.",
  },
  svc_my_sessions: {
    operation: 'streams.list',
    title: 'My metered sessions',
    effect: 'reads',
    says: 'Metered sessions that you pay, or as worker are paid by.',
    quiet: ['offset'],
  },
  svc_get_session: {
    operation: 'streams.get',
    title: 'Meter of a session',
    effect: 'reads',
    says: 'What a metered session has cost so far, and what may still be spent.',
  },
  svc_tick_session: {
    operation: 'streams.tick',
    title: 'Time of a session',
    effect: 'writes',
    says: 'Have the time since the last tick paid. Stop at SESSION_CAP_EXCEEDED or CHANNEL_EXPIRED.',
    headers: { idempotency_key: headerNames.idempotencyKey },
    shown: { evidence: shownTick },
    quiet: ['payee'],
  },
  svc_stop_session: {
    operation: 'streams.stop',
    title: 'Stop a session',
    effect: 'writes once',
    says: 'End a metered session, from either side: accepted time is paid, the rest goes back.',
  },
} as const satisfies Record<string, Tool>
