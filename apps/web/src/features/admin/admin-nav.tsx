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

/** From every operator screen to the other six. What a screen is filtered by does not make it another screen. */
export function AdminNav(): ReactNode {
  const say = useMessages(adminNavMessages)
  return (
    <nav aria-label={say('nav')} className="flex flex-wrap gap-2">
      {adminScreens.map(([to, name]) => (
        <Link key={to} to={to} className={choiceLink.className} activeOptions={{ exact: true, includeSearch: false }}>
          {say(name)}
        </Link>
      ))}
    </nav>
  )
}
