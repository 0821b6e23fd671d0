import type { EventRelay } from './event-relay.ts'

/** Rings whoever listens to a task at each of its events; one look at the stream serves all of them. */
export function createTaskBells(subscribe: EventRelay['subscribe']): (taskId: string, ring: () => void) => Disposable {
  const listeners = new Map<string, Set<() => void>>()
  subscribe(({ taskId }) => {
    if (taskId !== null) for (const ring of listeners.get(taskId) ?? []) ring()
  })
  return (taskId, ring) => {
    const rings = listeners.get(taskId) ?? new Set()
    listeners.set(taskId, rings.add(ring))
    return {
      [Symbol.dispose]: () => {
        rings.delete(ring)
        if (rings.size === 0) listeners.delete(taskId)
      },
    }
  }
}
