import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { events } from '../events.ts'
import { closed, id, instant, open, optional } from '../schema.ts'
import { categories } from '../vocabulary.ts'
import type { About } from './about.ts'

type Json = Record<string, unknown>

/** Why a socket ends, by its close code. */
export const socketCloseCodes = {
  1001: 'The service restarts: connect again and go on from the last cursor.',
  1002: 'A frame was no JSON object with a type and a payload.',
  1003: 'A message was not text.',
  1008: 'Too many frames, no auth frame within ten seconds, or this wallet may no longer be here.',
  1009: 'A frame was larger than 64 KiB.',
  1013: 'This client reads too slowly or events were lost: connect again and go on from the last cursor.',
} as const

const room = Type.String({
  pattern: `^(?:user:0x[0-9a-fA-F]{40}|task:[0-9a-fA-F-]{36}|category:(?:${categories.join('|')})|global)$`,
  description:
    'user:<wallet> (your own alone), task:<task_id> (its publisher and workers), category:<category>, or global.',
})
const cursor = Type.String({
  maxLength: 60,
  description: 'The `cursor` of a frame that was received: what came after it is told first.',
})
const total = { total_subscriptions: Type.Integer({ description: 'Rooms this connection is in.' }) }

const said = (type: string, payload: TSchema, description: string): Json => ({
  name: type,
  title: type,
  summary: description,
  payload: open({
    type: Type.Literal(type),
    payload,
    id: optional(Type.String({ maxLength: 100, description: 'Your word for the frame; the answer carries the same.' })),
  }),
})

/** What a client sends. */
const sent = {
  auth: said(
    'auth',
    open({
      'signature-input': Type.String({ description: 'As of a signed GET of /ws on this host (RFC 9421).' }),
      signature: Type.String({ description: 'The signature of the same.' }),
      cursor: optional(cursor),
    }),
    'Proves who speaks: the first frame, unless the connection came with a session.',
  ),
  subscribe: said(
    'subscribe',
    closed({ room, cursor: optional(cursor) }),
    'Joins one room; there is no array of them.',
  ),
  unsubscribe: said('unsubscribe', closed({ room }), 'Leaves a room.'),
  ping: said('ping', open({}), 'Answered with pong.'),
  pong: said('pong', open({}), 'The answer to a ping of the service.'),
}

const answered = (type: string, payload: TSchema, description: string): Json => ({
  name: type,
  title: type,
  summary: description,
  payload: open({
    type: Type.Literal(type),
    payload,
    id: Type.String({ description: 'Of the frame that is answered, or of this one.' }),
    timestamp: instant('When it was said.'),
  }),
})

const fault = open({
  code: Type.String({ description: 'As in answers of REST; GET /openapi.json lists them.' }),
  message: Type.String(),
  details: optional(Type.Record(Type.String(), Type.Unknown())),
})

const entered = { rooms: Type.Array(Type.String()), cursor: Type.Union([cursor, Type.Null()]) }

/** What the service says about the connection. */
const told = {
  welcome: answered(
    'welcome',
    open({ connection_id: Type.String(), authenticated: Type.Boolean() }),
    'The connection is open. Without authentication it joins nothing and hears nothing.',
  ),
  auth_success: answered(
    'auth_success',
    open({ user_id: Type.String(), wallet: Type.String(), via: Type.Enum(['signature', 'session']), ...entered }),
    'Who speaks is known, and is in the room of its own wallet.',
  ),
  auth_failed: answered('auth_failed', fault, 'The auth frame was refused; another may be sent.'),
  subscribed: answered(
    'subscribed',
    open({ room: Type.String(), ...total, cursor: Type.Union([cursor, Type.Null()]) }),
    'In the room; what was missed since the cursor comes next, before anything new.',
  ),
  unsubscribed: answered(
    'unsubscribed',
    open({ room: Type.String(), ...total, reason: optional(Type.String()) }),
    'Out of the room, by your word or because you may no longer be there.',
  ),
  ping: answered('ping', open({}), 'Every 30 seconds; whoever is silent for 90 is let go.'),
  pong: answered('pong', open({}), 'The answer to a ping.'),
  error: answered('error', fault, 'A frame was refused; the connection goes on.'),
}

/** What happened, by the CamelCase name that rooms carry (spec §6). */
function happened(): Json {
  const byName = new Map<string, { readonly types: string[]; readonly data: TSchema[] }>()
  for (const [type, { room: name, data }] of Object.entries(events)) {
    const entry = byName.get(name) ?? { types: [], data: [] }
    byName.set(name, { types: [...entry.types, type], data: [...entry.data, data] })
  }
  const notice = open({
    notification_id: id('The notice.'),
    type: Type.String(),
    title: Type.String(),
    message: Type.String(),
    task_id: Type.Union([id('The task.'), Type.Null()]),
  })
  const known = byName.get('NotificationNew')
  byName.set('NotificationNew', { types: known?.types ?? [], data: [...(known?.data ?? []), notice] })
  return Object.fromEntries(
    [...byName].map(([name, { types, data }]) => [
      name,
      {
        name,
        title: name,
        summary: `What webhooks call ${types.join(', ')}.`,
        payload: open({
          type: Type.Literal('event'),
          payload: open({
            event: Type.Literal(name),
            payload: data.length === 1 ? (data[0] ?? open({})) : Type.Union(data),
          }),
          id: id('The event; the same on every channel. Drop what you had.'),
          timestamp: instant('When it happened.'),
          cursor: optional(cursor),
        }),
      },
    ]),
  )
}

/** The AsyncAPI 3 document of `/ws`: frames, rooms, close codes and how to go on; served at /asyncapi.json. */
export function asyncApiDocument({ baseUrl, version }: Pick<About, 'baseUrl' | 'version'>): Json {
  const [, scheme = 'http', host = 'localhost'] = /^(https?):\/\/([^/]+)/.exec(baseUrl) ?? []
  const fromService = { ...told, ...happened() }
  const channelRef = { $ref: '#/channels/live' }
  const refs = (messages: Json, prefix: string): Json[] =>
    Object.keys(messages).map((name) => ({ $ref: `#/channels/live/messages/${prefix}${name}` }))
  const named = (messages: Json, prefix: string): Json =>
    Object.fromEntries(Object.entries(messages).map(([name, message]) => [`${prefix}${name}`, message]))
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Ergon, live',
      version,
      description: `Events as they happen. ${resuming} ${Object.entries(socketCloseCodes)
        .map(([code, why]) => `Close code ${code}: ${why}`)
        .join(' ')}`,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: { here: { host, protocol: scheme === 'https' ? 'wss' : 'ws', pathname: '/ws' } },
    channels: {
      live: {
        address: '/',
        title: 'One connection',
        description: 'Frames are JSON texts of at most 64 KiB, at most 100 a minute from a client.',
        messages: { ...named(sent, 'client_'), ...named(fromService, 'service_') },
        bindings: { ws: { method: 'GET' } },
      },
    },
    operations: {
      say: {
        action: 'receive',
        channel: channelRef,
        title: 'What a client says',
        messages: refs(sent, 'client_'),
      },
      hear: {
        action: 'send',
        channel: channelRef,
        title: 'What a client hears',
        messages: refs(fromService, 'service_'),
      },
    },
    'x-close-codes': socketCloseCodes,
  }
  return JSON.parse(JSON.stringify(document)) as Json // without what the schemas carry for themselves
}

const resuming =
  'To go on after a break, connect, authenticate, and subscribe again with the cursor of the last frame that had one: what was missed is told before anything new, at most 1,000 events at once, and nothing twice under one id.'
