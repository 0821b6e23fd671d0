import type { ActivityEvent } from './use-live-events.ts'

/** Setting its place is a second call of whoever publishes a task, and no news beside it. */
const echoMs = 2 * 60_000

/** The events without the changes of a task that has only just been published. */
export function withoutEchoes(events: readonly ActivityEvent[]): readonly ActivityEvent[] {
  const published = new Map(
    events.flatMap(({ type, data, created_at: at }) =>
      type === 'task.created' ? [[data['task_id'], Date.parse(at)] as const] : [],
    ),
  )
  return events.filter(
    ({ type, data, created_at: at }) =>
      type !== 'task.updated' || Date.parse(at) - (published.get(data['task_id']) ?? 0) > echoMs,
  )
}
