import * as Type from 'typebox'
import { eventApiVersion, events as catalogue } from '../events.ts'
import { operation } from '../operation.ts'
import { closed, id, instant, open, optional, slice, text } from '../schema.ts'
import { categories } from '../vocabulary.ts'

/** The envelope every channel carries (spec §6): webhooks send it bare, the stream adds its place. */
export const eventEnvelope = open({
  id: id('The event; the same on every channel.'),
  type: Type.Enum(Object.keys(catalogue), { description: 'Dotted name.' }),
  created_at: instant('When it happened.'),
  data: Type.Record(Type.String(), Type.Unknown()),
  metadata: open({
    api_version: Type.String({ description: `Date of this shape: ${eventApiVersion}.` }),
    idempotency_key: id('The id of the event.'),
  }),
})
const typesText = Type.String({
  pattern: '^[a-z._]{3,40}(,[a-z._]{3,40}){0,39}$',
  maxLength: 1_000,
  description: 'Dotted names, separated by commas; all when left out.',
})
const filter = {
  scope: optional(
    Type.Enum(['mine', 'public'], {
      default: 'mine',
      description:
        '`mine` is what concerns the caller, and empty for unsigned callers; `public` is what everybody may see.',
    }),
  ),
  types: optional(typesText),
  task_id: optional(id('Only this task.')),
  category: optional(Type.Enum([...categories], { description: 'Only tasks of this category.' })),
}
const place = (description: string) => optional(text(description, 1, 60))

export const events = {
  'events.list': operation({
    section: 'events',
    summary:
      'What happened, in order and without gaps: go on from `next_cursor`, and wait for news with `wait_seconds`.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({
      ...filter,
      cursor: place(
        'Opaque place to go on from. Left out, the oldest event that is kept comes first; `now` skips what has been.',
      ),
      limit: optional(Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Events in this answer.' })),
      offset: slice.offset,
      wait_seconds: optional(
        Type.Integer({
          minimum: 0,
          maximum: 25,
          default: 0,
          description: 'How long to hold the answer back while there is no news.',
        }),
      ),
    }),
    output: open({
      events: Type.Array(
        Type.Intersect([eventEnvelope, open({ cursor: Type.String({ description: 'Place behind this event.' }) })]),
      ),
      next_cursor: Type.String({ description: 'Where to go on; given even when nothing happened.' }),
      has_more: Type.Boolean(),
    }),
    success: 200,
    errors: ['EVENTS_FORGOTTEN'],
    rest: [{ method: 'GET', path: '/api/v1/events' }],
  }),
  'events.stream': operation({
    section: 'events',
    summary:
      'The same stream as server-sent events; the id of an event is its place, so a client that reconnects goes on where it was.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({
      ...filter,
      cursor: place('Where to begin; now when left out.'),
      last_event_id: place('What a reconnecting client sends by itself; goes before `cursor`.'),
    }),
    output: Type.String({ description: 'text/event-stream: id, event and data lines; data is the envelope.' }),
    success: 200,
    errors: ['EVENTS_FORGOTTEN'],
    rest: [{ method: 'GET', path: '/api/v1/events/stream', headers: { last_event_id: 'Last-Event-ID' } }],
    raw: true,
  }),
}
