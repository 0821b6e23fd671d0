import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { choiceLink } from '../../components/choice-link.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { adminNavMessages } from './admin-nav-messages.ts'

/** The screens of whoever runs the service, in the order in which a day at it asks for them. */
const adminScreens = [
  ['/admin', 'overview'],
  ['/admin/tasks', 'tasks'],
  ['/admin/workers', 'workers'],
  ['/admin/reports', 'reports'],
  ['/admin/money', 'money'],
  ['/admin/settings', 'settings'],
  ['/admin/audit', 'audit'],
] as const

/** On a phone the row is wider than the screen: where one is, is seen. */
function showCurrent(nav: HTMLElement | null): void {
  const current = nav?.querySelector<HTMLElement>('[aria-current]')
  if (nav && current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2
}

/** From every operator screen to the other six. What a screen is filtered by does not make it another screen. */
export function AdminNav(): ReactNode {
  const say = useMessages(adminNavMessages)
  return (
    <nav aria-label={say('nav')} className="chip-row min-w-0" ref={showCurrent}>
      {adminScreens.map(([to, name]) => (
        <Link key={to} to={to} className={choiceLink.className} activeOptions={{ exact: true, includeSearch: false }}>
          {say(name)}
        </Link>
      ))}
    </nav>
  )
}
