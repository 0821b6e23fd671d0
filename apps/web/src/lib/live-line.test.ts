import { createOperationsClient } from '@ergon/sdk'
import { expect, test } from 'vitest'
import { placeToGoOn } from './live-line.ts'

type Page = { readonly events: readonly unknown[]; readonly next_cursor: string }

/** A service whose stream has come to `now`, with so many events behind the place that is asked for. */
function serviceAt(now: string, behind: Page | 'refused') {
  const fetch = (url: string | URL | Request): Promise<Response> => {
    const asked = new URL(url instanceof Request ? url.url : url).searchParams.get('cursor')
    if (asked !== 'now' && behind === 'refused')
      return Promise.resolve(
        Response.json(
          {
            error: 'VALIDATION_FAILED',
            message: 'no place',
            detail: { code: 'VALIDATION_FAILED' },
            details: { field: 'cursor' },
          },
          { status: 400 },
        ),
      )
    const page = asked === 'now' ? { events: [], next_cursor: now } : behind
    return Promise.resolve(Response.json({ ...(page as Page), has_more: false })) // a refusal was answered above
  }
  return createOperationsClient({ baseUrl: 'http://127.0.0.1:1', session: true, fetch })
}

test.each([
  [
    'goes on where this browser was when something happened since',
    'kept',
    { events: [{}], next_cursor: 'later' },
    'kept',
  ],
  [
    'goes on where this browser was when the service went on without it',
    'kept',
    { events: [], next_cursor: 'later' },
    'kept',
  ],
  [
    'begins now when the service began anew and is not that far',
    'kept',
    { events: [], next_cursor: 'kept' },
    'now-place',
  ],
  ['begins now when the service knows no such place', 'kept', 'refused', 'now-place'],
  ['begins now on a first visit', undefined, 'refused', 'now-place'],
] as const)('%s', async (_name, kept, behind, place) => {
  expect(await placeToGoOn(serviceAt('now-place', behind), kept, new AbortController().signal)).toBe(place)
})
