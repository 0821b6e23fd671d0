import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { LinkButton } from './button.tsx'
import { Page } from './page.tsx'
import { defineMessages } from '../lib/messages.ts'

const messages = defineMessages({ en: { home: 'Go to the tasks' }, es: { home: 'Ir a las tareas' } })

export function NotFound(): ReactNode {
  const say = useMessages(commonMessages)
  const own = useMessages(messages)
  return (
    <Page title={say('notFound')}>
      <div>
        <LinkButton to="/find" kind="primary">
          {own('home')}
        </LinkButton>
      </div>
    </Page>
  )
}
