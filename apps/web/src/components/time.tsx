import { useSyncExternalStore, type ReactNode } from 'react'
import { serviceNow } from '../lib/clock.ts'
import { useFormat } from '../lib/format.ts'

const everyMs = 30_000

/** Now by the clock of the service, a moment ago at the most; one timer serves every clock of the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}

const listeners = new Set<() => void>()
const ticking: { timer: ReturnType<typeof setInterval> | undefined; now: number } = { timer: undefined, now: 0 }

function readNow(): number {
  if (ticking.now === 0) ticking.now = serviceNow()
  return ticking.now
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  ticking.timer ??= setInterval(() => {
    ticking.now = serviceNow()
    for (const one of listeners) one()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(ticking.timer)
    ticking.timer = undefined
    ticking.now = 0
  }
}

/** How long ago something was, in the reader's language, and exact to the pointer. */
export function Moment({ at }: { readonly at: string }): ReactNode {
  const format = useFormat()
  return (
    <time dateTime={at} title={format.dateTime(at)}>
      {format.ago(at, useNow())}
    </time>
  )
}
