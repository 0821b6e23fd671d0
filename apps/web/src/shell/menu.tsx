import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Button } from '../components/button.tsx'
import { SelectField } from '../components/field.tsx'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import { languages } from '../lib/language.ts'
import { readTheme, showTheme, themes } from '../lib/theme.ts'
import { useSession, useWallet } from '../wallet/wallet.tsx'
import { shellMessages } from './messages.ts'

const mine = [
  ['/my/tasks', 'myTasks'],
  ['/work', 'work'],
  ['/notifications', 'notifications'],
  ['/earnings', 'earnings'],
  ['/my/spend', 'spend'],
  ['/my/services', 'myServices'],
  ['/disputes', 'disputes'],
  ['/profile', 'profile'],
  ['/webhooks', 'webhooks'],
  ['/account/tools', 'tools'],
  ['/account', 'account'],
] as const
const everyones = [
  ['/', 'find'],
  ['/publish', 'publish'],
  ['/services', 'services'],
  ['/activity', 'activity'],
  ['/agents', 'agents'],
  ['/leaderboard', 'leaderboard'],
  ['/developers', 'developers'],
  ['/status', 'status'],
  ['/admin', 'admin'],
] as const
const languageNames = { en: 'English', es: 'Español' } as const
const themeNames = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

/** Everything that has no room in the bar: the other screens, the language, the appearance, the way out. */
export function Menu(): ReactNode {
  const say = useMessages(shellMessages)
  const { wallet } = useSession()
  const { signOut } = useWallet()
  const { language, speak } = useSpeech()
  const navigate = useNavigate()
  const [theme, setTheme] = useState(readTheme)
  const details = useRef<HTMLDetailsElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    if (details.current !== null) details.current.open = false
  }, [path])
  return (
    <details
      ref={details}
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || details.current === null) return
        details.current.open = false
        details.current.querySelector('summary')?.focus()
      }}
    >
      <summary className="inline-flex min-h-11 cursor-pointer list-none whitespace-nowrap items-center rounded-lg border border-line-strong px-3 font-semibold hover:bg-sunken">
        {say('more')}
      </summary>
      <div className="absolute right-0 z-20 mt-2 grid max-h-[80dvh] w-72 gap-4 overflow-y-auto rounded-2xl border border-line bg-surface p-4 shadow-xl">
        <Places wallet={wallet} />
        <SelectField
          label={say('language')}
          value={language}
          onChange={({ target }) => speak(languages.find((one) => one === target.value) ?? 'en')}
        >
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {languageNames[one]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={say('theme')}
          value={theme}
          onChange={({ target }) => {
            const chosen = themes.find((one) => one === target.value) ?? 'system'
            setTheme(chosen)
            showTheme(chosen)
          }}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {say(themeNames[one])}
            </option>
          ))}
        </SelectField>
        {typeof wallet === 'string' && (
          <Button
            onClick={() => {
              void signOut().then(() => navigate({ to: '/' }))
            }}
          >
            {say('signOut')}
          </Button>
        )}
      </div>
    </details>
  )
}

type PlacesProps = {
  readonly wallet: string | null | undefined
}

function Places({ wallet }: PlacesProps): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <nav aria-label={say('more')} className="grid">
      {(typeof wallet !== 'string' ? everyones : [...mine, ...everyones]).map(([to, name]) => (
        <Link key={to} to={to} className="rounded-lg px-2 py-2 font-semibold hover:bg-sunken">
          {say(name)}
        </Link>
      ))}
    </nav>
  )
}
