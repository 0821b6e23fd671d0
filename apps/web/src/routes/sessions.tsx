import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Dialog } from '../components/dialog.tsx'
import { Page } from '../components/page.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { sessionMessages } from '../features/metered/sessions/session-messages.ts'
import { OneSession } from '../features/metered/sessions/one-session.tsx'
import { SessionForm } from '../features/metered/sessions/session-form.tsx'
import { SessionList } from '../features/metered/sessions/session-list.tsx'
import { MayTalk } from '../features/talk/may-talk.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/sessions')

/** Sessions that a person pays, or earns by; one of them under `?id=`, and with `?with=` a new one. */
export function SessionsScreen(): ReactNode {
  const say = useMessages(sessionMessages)
  const { wallet } = useSession()
  const { id, role, cursor, with: workerId } = route.useSearch()
  const closeDialog = useCloseDialog()
  const close = (): void => {
    closeDialog({ to: '/sessions', search: {} })
  }
  if (typeof wallet === 'string' && id !== undefined)
    return <OneSession key={id} id={id} role={role} talk={(task, side) => <MayTalk task={task} side={side} />} />
  return (
    <Page title={say('title')} lead={say('lead')}>
      {wallet === null ? (
        <SignedOut what={say('signedOut')} />
      ) : wallet === undefined ? (
        <SessionUnknown />
      ) : (
        <SessionList role={role === 'worker' ? 'worker' : 'buyer'} cursor={cursor} />
      )}
      {typeof wallet === 'string' && (
        <Dialog open={workerId !== undefined} title={say('beginTitle')} onClose={close}>
          {workerId !== undefined && <SessionForm workerId={workerId} onClose={close} />}
        </Dialog>
      )}
    </Page>
  )
}
