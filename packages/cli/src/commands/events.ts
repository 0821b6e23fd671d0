import { categories, events as catalogue, type EventName } from '@ergon/contract'
import { checkInput } from '../check-input.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { Call, Command, Options, Outcome } from '../command.ts'
import { nextEvents, placeOfNow, type Event, type EventFilter } from '../event-cursor.ts'
import { given } from '../given.ts'
import { sampleEvent } from '../sample-event.ts'
import { requireUrl, type Session } from '../session.ts'
import { deliver, freshSecret } from '../webhook-signature.ts'

const filterOptions: Options = {
  scope: { value: 'SCOPE', about: 'What concerns you, or what everybody may see.', among: ['mine', 'public'] },
  types: { value: 'A,B', about: 'Only these events.' },
  task: { value: 'ID', about: 'Only this task.' },
  category: { value: 'CATEGORY', about: 'Only tasks of this category.', among: categories },
}

function filterOf(call: Call): EventFilter {
  return checkInput(
    'events.list',
    given({
      scope: call.text('scope'),
      types: call.text('types'),
      task_id: call.text('task'),
      category: call.text('category'),
    }),
  )
}

export const events: Command = {
  words: ['events'],
  about: 'What happened, oldest first; with --follow also what happens next, one line each.',
  options: {
    ...filterOptions,
    cursor: { value: 'PLACE', about: 'Go on behind this place; now skips what has been.' },
    limit: { value: 'N', about: 'At most so many at once.' },
    follow: { short: 'f', about: 'Stay until Ctrl-C.' },
  },
  examples: ['ergon events --follow --json | jq .event.type'],
  async run(call, session) {
    const filter = filterOf(call)
    const page = await session.client().events.list(
      checkInput('events.list', {
        ...filter,
        ...given({ cursor: call.text('cursor'), limit: call.number('limit') }),
      }),
    )
    if (!call.is('follow')) return { data: page, brief: page.next_cursor, lines: page.events.map(lineOf) }
    for (const event of page.events) show(session, event)
    return follow(
      session,
      filter,
      page.next_cursor,
      (event) => {
        show(session, event)
        return Promise.resolve()
      },
      Infinity,
    )
  },
}

export const listen: Command = {
  words: ['listen'],
  about: 'Forward events to a local address, signed as webhooks with a secret of this session.',
  options: {
    ...filterOptions,
    'forward-to': { value: 'URL', about: 'Where they are posted.' },
    secret: { value: 'WHSEC', about: 'Sign with this secret in place of a fresh one.' },
    count: { value: 'N', about: 'End after so many.' },
  },
  examples: ['ergon listen --forward-to http://127.0.0.1:3000/hook'],
  async run(call, session) {
    const url = requireUrl(call.need('forward-to'))
    const secret = call.text('secret') ?? freshSecret()
    const filter = filterOf(call)
    const place = await placeOfNow(session.client(), filter)
    const ready = { listening: true, forward_to: url, secret }
    session.emit(session.manner.json ? JSON.stringify(ready) : `Forwarding to ${url}\n  secret  ${secret}`)
    return follow(
      session,
      filter,
      place,
      async (event) => {
        const { cursor: _, ...envelope } = event
        const { status, fault } = await deliver(url, secret, envelope)
        session.emit(
          session.manner.json
            ? JSON.stringify({ delivered: event.type, id: event.id, status, fault })
            : `${event.created_at}  ${event.type}  ${status === null ? `not delivered: ${fault ?? ''}` : String(status)}`,
        )
      },
      call.number('count') ?? Infinity,
    )
  },
}

export const trigger: Command = {
  words: ['trigger'],
  about: 'Send an event that never happened to a local address, signed as a webhook.',
  positionals: [{ name: 'event', about: 'Its dotted name.' }],
  options: {
    'forward-to': { value: 'URL', about: 'Where it is posted.' },
    data: { value: 'JSON', about: 'Fields in place of the made-up ones.' },
    secret: { value: 'WHSEC', about: 'Sign with this secret in place of a fresh one.' },
  },
  examples: ['ergon trigger task.completed --forward-to http://127.0.0.1:3000/hook'],
  async run(call) {
    const type = eventNamed(call.need('event'))
    const url = requireUrl(call.need('forward-to'))
    const secret = call.text('secret') ?? freshSecret()
    const event = sampleEvent(type, fieldsOf(call.text('data')))
    const { status, fault } = await deliver(url, secret, event)
    if (status === null)
      throw new CliError(
        'unavailable',
        'NOT_DELIVERED',
        `${url} does not answer: ${fault ?? ''}`,
        'Start what listens there.',
      )
    return {
      data: { event, status, secret },
      brief: String(status),
      lines: [`${type} ${event.id}: ${String(status)}`, `  secret  ${secret}`],
      ...(status >= 200 && status < 300 ? {} : { exit: 'unexpected' as const }),
    }
  },
}

async function follow(
  session: Session,
  filter: EventFilter,
  from: string,
  take: (event: Event) => Promise<void>,
  most: number,
): Promise<Outcome> {
  const client = session.client()
  let [cursor, count] = [from, 0]
  try {
    while (count < most) {
      const next = await nextEvents(session, client, filter, cursor, Infinity)
      for (const event of next.page.slice(0, most - count)) {
        await take(event)
        cursor = event.cursor
        count += 1
      }
    }
  } catch (error) {
    if (!(error instanceof CliError) || error.exit !== 'interrupted') throw error
  }
  return { data: { count, next_cursor: cursor }, brief: cursor, lines: [] }
}

function show(session: Session, event: Event): void {
  session.emit(session.manner.json ? JSON.stringify({ event }) : lineOf(event))
}

const widest = Math.max(...Object.keys(catalogue).map(({ length }) => length))

function lineOf(event: Event): string {
  return `${event.created_at}  ${event.type.padEnd(widest)}  ${typeof event.data['task_id'] === 'string' ? event.data['task_id'] : ''}`.trimEnd()
}

function eventNamed(text: string): EventName {
  // Object.keys of a constant object answers exactly its declared keys.
  const name = (Object.keys(catalogue) as EventName[]).find((known) => known === text)
  if (name === undefined)
    throw usageError(`there is no event ${text}`, `There are: ${Object.keys(catalogue).join(', ')}.`)
  return name
}

function fieldsOf(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {}
  try {
    const read: unknown = JSON.parse(text)
    // Members stay unknown; they only travel on.
    if (typeof read === 'object' && read !== null && !Array.isArray(read))
      return read as Readonly<Record<string, unknown>>
  } catch {
    // Said below.
  }
  throw usageError('--data is no JSON object')
}
