import { lazy, Suspense, type ReactNode } from 'react'
import { useSession } from '../wallet/wallet.tsx'

// With it comes the line for live events: whoever only looks around loads neither.
const NewsLink = lazy(async () => ({ default: (await import('../features/notifications/news-link.tsx')).NewsLink }))

/** Where the bar says what is new, to whoever is signed in. */
export function NewsPlace(): ReactNode {
  const { wallet } = useSession()
  if (typeof wallet !== 'string') return null
  return <Suspense fallback={<span className="size-11" />}><NewsLink key={wallet} wallet={wallet} /></Suspense>
}
