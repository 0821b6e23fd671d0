import { useSyncExternalStore, type ReactNode } from 'react'
import { useFormat } from '../lib/format.ts'

const everyMs = 30_000

/** Now, a moment ago at the most; one timer serves every clock of the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}

const listeners = new Set<() => void>()
const ticking: { timer: ReturnType<typeof setInterval> | undefined; now: number } = { timer: undefined, now: 0 }

function readNow(): number {
  if (ticking.now === 0) ticking.now = Date.now()
  return ticking.now
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  ticking.timer ??= setInterval(() => {
    ticking.now = Date.now()
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

/** An instant as the reader's clock and language say it, relative to now, and exact to the pointer. */
export function Moment({ at }: { readonly at: string }): ReactNode {
  const format = useFormat()
  return <time dateTime={at} title={format.dateTime(at)}>{format.relative(at, useNow())}</time>
}
