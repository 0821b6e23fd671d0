import { useEffect, useSyncExternalStore } from 'react'
import { isDraft } from './draft-owner.ts'
import { onDevice } from './kept.ts'

/** Whether this browser keeps what it is given; false while something lives with the page alone. */
export function useIsKeeping(): boolean {
  return useSyncExternalStore(onDevice.subscribe, isKeeping)
}

const isKeeping = (): boolean => onDevice.held().length === 0

/** Once a page: what was typed and is not kept is not left without a word; the browser asks in its own. */
export function useAskingBeforeLoss(): void {
  const isSafe = useIsKeeping()
  useEffect(() => {
    if (isSafe) return
    window.addEventListener('beforeunload', ask)
    return () => {
      window.removeEventListener('beforeunload', ask)
    }
  }, [isSafe])
}

function ask(event: BeforeUnloadEvent): void {
  if (onDevice.held().some(isDraft)) event.preventDefault()
}
