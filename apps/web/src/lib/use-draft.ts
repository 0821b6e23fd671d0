import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { draftKey, hearDropped } from './draft-owner.ts'
import { onDevice } from './kept.ts'

/**
 * What a person typed, kept in this browser until it is sent: a reload, a lost network or a refusal costs nothing
 * of it. `forget` when it has been sent: what was typed since stays. A sign-out, or another wallet that signs in,
 * empties it as well.
 */
export function useDraft<T extends object>(
  name: string,
  empty: T,
): readonly [draft: T, change: (part: Partial<T>) => void, forget: () => void] {
  const key = draftKey(name)
  const [draft, setDraft] = useState<T>(() => ({ ...empty, ...readDraft<T>(name) }))
  const isUntouched = useEffectEvent((now: T) => JSON.stringify(now) === JSON.stringify(empty))
  const clear = useEffectEvent(() => {
    setDraft(empty)
  })
  useEffect(() => hearDropped(() => clear()), [])
  useEffect(() => {
    if (isUntouched(draft)) onDevice.forget(key)
    else onDevice.keep(key, JSON.stringify(draft))
  }, [key, draft])
  const change = useCallback((part: Partial<T>) => {
    setDraft((known) => ({ ...known, ...part }))
  }, [])
  const forget = useCallback(() => {
    const text = JSON.stringify(draft)
    setDraft((now) => (JSON.stringify(now) === text ? empty : now))
    // Nobody may be here any more who would do it.
    if (onDevice.read(key) === text) onDevice.forget(key)
  }, [key, empty, draft])
  return [draft, change, forget]
}

/** Puts a whole draft in the place of what is kept. */
export function keepDraft(name: string, draft: object): void {
  onDevice.keep(draftKey(name), JSON.stringify(draft))
}

/** What is kept of a draft, without changing it. */
export function readDraft<T>(name: string): Partial<T> {
  try {
    // This browser wrote it from a T; what a newer form added is filled in from `empty`.
    return JSON.parse(onDevice.read(draftKey(name)) ?? '{}') as Partial<T>
  } catch {
    return {}
  }
}
