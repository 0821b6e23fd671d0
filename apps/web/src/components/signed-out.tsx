import type { ReactNode } from 'react'
import { useRouterState } from '@tanstack/react-router'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { LinkButton } from './button.tsx'
import { Empty } from './surface.tsx'

/** In the place of what only a signed-in person sees; afterwards back to this very address. */
export function SignedOut({ what }: { readonly what: string }): ReactNode {
  const say = useMessages(commonMessages)
  const here = useRouterState({ select: ({ location }) => location.href })
  return (
    <Empty title={what}>
      <LinkButton to="/sign-in" search={{ then: here }} kind="primary">
        {say('signIn')}
      </LinkButton>
    </Empty>
  )
}
