import type { Input, OperationsClient } from '../client.ts'
import type { Desk } from './desk.ts'
import type { LiveRoom } from './live-event.ts'

const pageSize = 500

type Filter = NonNullable<Input<'events.list'>>

/**
 * Reads what was missed when it is more than sockets tell at once: every room's past from the stream, up to a place
 * that is taken first, so that nothing falls between the two.
 */
export async function catchUp(
  client: Pick<OperationsClient, 'events'>,
  desk: Desk,
  signal: AbortSignal,
): Promise<void> {
  const { next_cursor: until } = await client.events.list({ cursor: 'now', limit: 1 }, { signal })
  for (const filter of [{ scope: 'mine' } as const, ...[...desk.wishes.keys()].flatMap(filtersOf)]) {
    let cursor = desk.place
    for (let hasMore = true; hasMore;) {
      const page = await client.events.list({ ...filter, cursor, limit: pageSize }, { signal })
      // Nobody reads the whole past into memory.
      await desk.queue.drained(pageSize)
      for (const event of page.events) desk.tellPast(event)
      cursor = page.next_cursor
      hasMore = page.has_more
    }
  }
  desk.moveTo(until)
}

function filtersOf(room: LiveRoom): readonly Filter[] {
  const mark = room.indexOf(':')
  const [kind, rest] = mark < 0 ? [room, ''] : [room.slice(0, mark), room.slice(mark + 1)]
  // A party hears its own part of a task, an applicant what is public of it.
  if (kind === 'task')
    return [
      { scope: 'mine', task_id: rest },
      { scope: 'public', task_id: rest },
    ]
  // The type of the room names a category.
  if (kind === 'category') return [{ scope: 'public', category: rest as NonNullable<Filter['category']> }]
  return kind === 'global' ? [{ scope: 'public' }] : []
}
