import type { ReactNode } from 'react'
import { useRouterState } from '@tanstack/react-router'
import { useMessages } from '../lib/i18n.tsx'
import { shortAddress } from '../lib/short-address.ts'
import { useSession } from '../wallet/wallet.tsx'
import { asAnotherMessages } from './as-another-messages.ts'
import { LinkButton } from './button.tsx'

/**
 * Where what is asked for belongs to another wallet, which may be one of the same person: who is signed in, and the way
 * in as another, which leads back to this very address.
 */
export function AsAnother(): ReactNode {
  const say = useMessages(asAnotherMessages)
  const { wallet } = useSession()
  const here = useRouterState({ select: ({ location }) => location.href })
  if (typeof wallet !== 'string') return null
  return (
    <div className="grid justify-items-start gap-2">
      <p>{say('as', { wallet: shortAddress(wallet) })}</p>
      <LinkButton to="/sign-in" search={{ then: here }}>
        {say('another')}
      </LinkButton>
    </div>
  )
}
