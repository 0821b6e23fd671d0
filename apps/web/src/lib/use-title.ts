import { useEffect } from 'react'
import { formatMessage } from './messages.ts'

/** What the tab is called while a screen is open. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = formatMessage('{title} · Ergon', 'en', { title })
  }, [title])
}
