import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { meter, meterEvents, publicChannel } from '../resources/meter.ts'
import { closed, id } from '../schema.ts'

const section = 'meters'
const task_id = id('The task.')
const access = { by: 'anyone', scope: 'task:read', session: true } as const

/** What everybody may know of a metered task (spec §4). */
export const meters = {
  'meters.get': operation({
    section,
    summary: 'What a metered task has consumed, and what may still be spent.',
    access,
    input: closed({ task_id }),
    output: meter,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/meter' }],
  }),
  'meters.stream': operation({
    section,
    summary: 'The same as server-sent events: how it is, then each change. Settlement state alone, no vouchers.',
    access,
    input: closed({ task_id }),
    output: Type.String({ description: meterEvents }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/meter/stream' }],
    raw: true,
  }),
  'meters.channel': operation({
    section,
    summary: 'The channel of a metered task as everybody may see it: parties, shares and amounts, no vouchers.',
    access,
    input: closed({ task_id }),
    output: publicChannel,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED', 'no_channel_bound'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/channel/public' }],
  }),
}
