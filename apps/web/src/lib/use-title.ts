import { useEffect } from 'react'

/** What the tab is called while a screen is open. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Ergon`
  }, [title])
}
