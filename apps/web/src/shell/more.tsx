import { useState, type ReactNode } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import { Dialog } from '../components/dialog.tsx'
import type { IconName } from '../components/icon-names.ts'
import { Icon } from '../components/icon.tsx'
import { PersonChip } from '../components/person.tsx'
import { readAdminKey } from '../lib/admin-key.ts'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import { languages } from '../lib/language.ts'
import { readTheme, showTheme, themes } from '../lib/theme.ts'
import { useSession, useWallet } from '../wallet/wallet.tsx'
import { shellMessages } from './messages.ts'
import { OperatorLinks } from './operator-links.tsx'
import { around, forSoftware, mySoftware, tiles } from './places.ts'

const languageNames = { en: 'English', es: 'Español' } as const
const themeNames = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

type MoreProps = { readonly open: boolean; readonly onClose: () => void }

/** What has no place of its own in the bars, for whom it concerns; the language, the appearance, the way out. */
export function More({ open, onClose }: MoreProps): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <Dialog corner open={open} title={say('more')} onClose={onClose}>
      <div className="grid gap-4">
        <Mine />
        <nav aria-label={say('more')} className="grid gap-4">
          <Places title={say('around')} rows={around} />
          <Software />
        </nav>
        <Settings />
        <div className="flex flex-wrap gap-x-5 gap-y-2 text-sm empty:hidden">
          <OperatorLinks />
        </div>
        <SignOut onClose={onClose} />
      </div>
    </Dialog>
  )
}

function Mine(): ReactNode {
  const say = useMessages(shellMessages)
  const { wallet, picture } = useSession()
  if (typeof wallet !== 'string') return null
  return (
    <>
      <Link to="/profile" className="flex items-center justify-between gap-3 rounded-control py-1 hover:bg-sunken">
        <span className="grid">
          <span className="visually-hidden">{say('signedInAs')}</span>
          <PersonChip address={wallet} name={say('seeProfile')} picture={picture} size={44} />
        </span>
        <Icon name="caret-right-bold" />
      </Link>
      <nav aria-label={say('mine')} className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.25rem),1fr))] gap-2">
        {tiles.map(([to, name, icon]) => (
          <Link
            key={to}
            to={to}
            className="grid justify-items-center gap-1 rounded-control bg-sunken px-1 py-3 text-center text-micro leading-tight font-label hyphens-auto"
          >
            <Icon name={icon} className="text-[1.4rem]" />
            {say(name)}
          </Link>
        ))}
      </nav>
    </>
  )
}

type Row = readonly [to: string, name: Parameters<ReturnType<typeof useMessages<ShellText>>>[0], icon: IconName]
type ShellText = keyof (typeof shellMessages)['en']

function Places({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }): ReactNode {
  const say = useMessages(shellMessages)
  return (
    <div className="grid border-b border-line pb-3">
      <p className="text-micro text-quiet">{title}</p>
      {rows.map(([to, name, icon]) => (
        <Link
          key={to}
          to={to}
          className="-mx-2 flex min-h-12 items-center gap-[min(0.75rem,12px)] rounded-control px-2 hover:bg-sunken aria-[current=page]:bg-brand-soft"
        >
          <Icon name={icon} className="text-[1.25rem] text-quiet" />
          <span className="grow">{say(name)}</span>
          <Icon name="caret-right-bold" className="text-sm" />
        </Link>
      ))}
    </div>
  )
}

function Software(): ReactNode {
  const say = useMessages(shellMessages)
  const { wallet } = useSession()
  return (
    <>
      <Places title={say('forSoftware')} rows={[...forSoftware, ...(typeof wallet === 'string' ? mySoftware : [])]} />
      {readAdminKey() !== undefined && (
        <Places title={say('forOperators')} rows={[['/admin', 'admin', 'sliders-horizontal-bold']]} />
      )}
    </>
  )
}

function Settings(): ReactNode {
  const say = useMessages(shellMessages)
  const { language, speak } = useSpeech()
  const [theme, setTheme] = useState(readTheme)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span id="appearance">{say('theme')}</span>
        <div role="group" aria-labelledby="appearance" className="segments">
          {themes.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={theme === one}
              onClick={() => {
                setTheme(one)
                showTheme(one)
              }}
            >
              {say(themeNames[one])}
            </button>
          ))}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span id="language">{say('language')}</span>
        <div role="group" aria-labelledby="language" className="segments">
          {languages.map((one) => (
            <button
              key={one}
              type="button"
              lang={one}
              aria-pressed={language === one}
              onClick={() => {
                speak(one)
              }}
            >
              {languageNames[one]}
            </button>
          ))}
        </div>
      </div>
    </>
  )
}

function SignOut({ onClose }: Pick<MoreProps, 'onClose'>): ReactNode {
  const say = useMessages(shellMessages)
  const { wallet } = useSession()
  const { signOut } = useWallet()
  const navigate = useNavigate()
  if (typeof wallet !== 'string') return null
  return (
    <button
      type="button"
      className="-mx-2 flex min-h-12 items-center gap-3 rounded-control px-2 text-left text-quiet hover:bg-sunken"
      onClick={() => {
        onClose()
        void signOut().then(() => navigate({ to: '/' }))
      }}
    >
      <Icon name="sign-out" className="text-[1.25rem]" />
      {say('signOut')}
    </button>
  )
}
