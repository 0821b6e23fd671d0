import { useEffect } from 'react'

/** Closes what has nothing to ask any more. */
export function useCloseWhen(isOver: boolean, onClose: () => void): void {
  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])
}
