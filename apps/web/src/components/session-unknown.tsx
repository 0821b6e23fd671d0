import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { defineMessages } from '../lib/messages.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { Failure } from './failure.tsx'
import { Loading, Note } from './surface.tsx'

const messages = defineMessages({
  en: {
    unread: 'Whether you are signed in is not known now.',
    help: 'Your tasks and money are shown as soon as the service answers. Nothing is lost.',
  },
  es: {
    unread: 'Ahora no se sabe si has iniciado sesión.',
    help: 'Tus tareas y tu dinero se muestran en cuanto responda el servicio. No se ha perdido nada.',
  },
})

/**
 * In the place of what only a signed-in person sees while nobody can say who that is: unknown is neither a visitor nor
 * nothing.
 */
export function SessionUnknown(): ReactNode {
  const say = useMessages(messages)
  const common = useMessages(commonMessages)
  const { data, error, fetchStatus, errorUpdateCount, refetch } = useRead('auth.readSession', {}, { staleTime: 60_000 })
  if (data !== undefined || (errorUpdateCount === 0 && fetchStatus !== 'paused'))
    return <Loading says={common('loading')} />
  return (
    <>
      <Note tone="warn" role="status" title={say('unread')}>
        <p>{say('help')}</p>
      </Note>
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
    </>
  )
}
