import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../lib/i18n.tsx'
import { walletMessages } from './wallet-messages.ts'

/** The two sides of one's money, and the time that is paid as it passes. */
export function MoneySides(): ReactNode {
  const say = useMessages(walletMessages)
  return (
    <nav aria-label={say('sides')} className="segments">
      <Link to="/earnings" activeOptions={{ includeSearch: false }}>
        {say('earned')}
      </Link>
      <Link to="/my/spend" activeOptions={{ includeSearch: false }}>
        {say('spent')}
      </Link>
      <Link to="/sessions" activeOptions={{ includeSearch: false }}>
        {say('sessions')}
      </Link>
    </nav>
  )
}
