import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useSession } from '../wallet/wallet.tsx'

// With it comes the line for live events: whoever only looks around loads neither.
const NewsLink = lazy(async () => ({ default: (await import('../features/notifications/news-link.tsx')).NewsLink }))

const placeholder = <span className="size-11" />
/** No page is quiet for ever; then it is not waited for. */
const mostMs = 2_000

/** Whether the first screen is drawn: what nobody came for does not take its line and its time. */
function useQuiet(): boolean {
  const [isQuiet, setIsQuiet] = useState(false)
  useEffect(() => {
    // Not every browser says when it is idle.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => {
        setIsQuiet(true)
      }, mostMs)
      return () => {
        clearTimeout(timer)
      }
    }
    const asked = requestIdleCallback(
      () => {
        setIsQuiet(true)
      },
      { timeout: mostMs },
    )
    return () => {
      cancelIdleCallback(asked)
    }
  }, [])
  return isQuiet
}

/** Where the bar says what is new, to whoever is signed in. */
export function NewsPlace(): ReactNode {
  const { wallet, isOver } = useSession()
  const isQuiet = useQuiet()
  if (typeof wallet !== 'string') return null
  if (!isQuiet || isOver) return placeholder
  return (
    <Suspense fallback={placeholder}>
      <NewsLink key={wallet} wallet={wallet} />
    </Suspense>
  )
}
