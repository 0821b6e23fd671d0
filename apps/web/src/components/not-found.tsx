import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { LinkButton } from './button.tsx'
import { Page } from './page.tsx'
import { Empty } from './surface.tsx'
import { defineMessages } from '../lib/messages.ts'

const messages = defineMessages({
  en: {
    why: 'The link is old, or a letter of it is missing.',
    help: 'Open tasks are one step away. Your own are under My work and My tasks.',
    home: 'Find work',
  },
  es: {
    why: 'El enlace es antiguo o le falta una letra.',
    help: 'Las tareas abiertas están a un paso. Las tuyas, en Mi trabajo y Mis tareas.',
    home: 'Buscar trabajo',
  },
})

export function NotFound(): ReactNode {
  const say = useMessages(commonMessages)
  const own = useMessages(messages)
  return (
    <Page title={say('notFound')}>
      <Empty title={own('why')} scene="queue">
        <p className="text-quiet">{own('help')}</p>
        <LinkButton to="/find" kind="primary">
          {own('home')}
        </LinkButton>
      </Empty>
    </Page>
  )
}
