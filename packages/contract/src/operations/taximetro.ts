import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { channelEvent, ledgerAddress } from '../resources/meter.ts'
import { closed, open, optional, shownRows, slice } from '../schema.ts'

const section = 'taximetro'
const channel_id = ledgerAddress('The channel.')
const own = { by: 'wallet', scope: 'task:read', unsigned: 403, session: true, banned: 'admitted' } as const
const rows = (defaultRows: number) =>
  optional(Type.Integer({ minimum: 1, maximum: 1_000, default: defaultRows, description: 'Events at most.' }))

/** Every voucher of a channel, for the publisher and the worker of its task (spec §4). */
export const taximetro = {
  'taximetro.stream': operation({
    section,
    summary: 'Vouchers of a channel as they are accepted, as server-sent events; the past first, if asked for.',
    access: own,
    input: closed({
      channel_id,
      replay: optional(Type.Boolean({ default: true, description: 'Whether to begin with what was accepted before.' })),
      replay_limit: rows(200),
    }),
    output: Type.String({
      description: 'text/event-stream: hello, session_open, voucher_accepted, session_close, settlement_complete.',
    }),
    success: 200,
    errors: ['FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/taximetro/{channel_id}/stream' }],
    raw: true,
  }),
  'taximetro.history': operation({
    section,
    summary: 'The last events of a channel, from the database: the oldest of a page first, the newest page first.',
    access: own,
    input: closed({ channel_id, limit: rows(50), offset: slice.offset }),
    output: open({ channel_id, events: Type.Array(channelEvent), ...shownRows }),
    success: 200,
    errors: ['FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/taximetro/{channel_id}/history' }],
  }),
  'taximetro.health': operation({
    section,
    summary: 'Whether vouchers are shown here.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      enabled: Type.Boolean(),
      replay_limit_default: Type.Integer({ description: 'Events that a stream begins with.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/taximetro/health' }],
  }),
}
