import { createContext, use, useSyncExternalStore, type ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { useIsKeeping } from '../lib/use-is-keeping.ts'
import type { Updates } from './offline.ts'

const messages = defineMessages({
  en: {
    newer: 'There is a newer version of this page. What you typed is kept.',
    newerUnkept: 'There is a newer version of this page. Send what you typed first.',
    load: 'Load it',
  },
  es: {
    newer: 'Hay una versión más reciente de esta página. Lo que has escrito se conserva.',
    newerUnkept: 'Hay una versión más reciente de esta página. Envía antes lo que has escrito.',
    load: 'Cargarla',
  },
})

const none: Updates = { isWaiting: () => false, subscribe: () => () => undefined }
const UpdatesContext = createContext<Updates>(none)

export function UpdatesProvider({
  updates = none,
  children,
}: {
  readonly updates: Updates | undefined
  readonly children: ReactNode
}): ReactNode {
  return <UpdatesContext value={updates}>{children}</UpdatesContext>
}

/** Says that the page on the screen is no longer the newest. Nothing is exchanged while the reader uses it. */
export function UpdateNote(): ReactNode {
  const updates = use(UpdatesContext)
  const say = useMessages(messages)
  const isKeeping = useIsKeeping()
  const isWaiting = useSyncExternalStore(updates.subscribe, updates.isWaiting)
  return (
    <div role="status">
      {isWaiting && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-brand-soft px-4 py-2 text-brand">
          <p className="font-semibold">{say(isKeeping ? 'newer' : 'newerUnkept')}</p>
          <Button
            onClick={() => {
              location.reload()
            }}
          >
            {say('load')}
          </Button>
        </div>
      )}
    </div>
  )
}
