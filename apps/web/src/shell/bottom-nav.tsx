import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { IconName } from '../components/icon-names.ts'
import { Icon } from '../components/icon.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { shellMessages } from './messages.ts'

type BottomProps = {
  readonly wallet: string | null | undefined
  readonly isMoreOpen: boolean
  readonly onMore: () => void
}

/** The five places of a phone, under the thumb. */
export function BottomNav({ wallet, isMoreOpen, onMore }: BottomProps): ReactNode {
  const say = useMessages(shellMessages)
  const isIn = typeof wallet === 'string'
  return (
    <nav aria-label={say('places')} className="bottom-nav">
      <Place to="/find" icon="magnifying-glass" name={say('shortFind')} />
      {isIn && <Place to="/work" icon="briefcase" name={say('work')} />}
      <Link to="/publish">
        <span className="bottom-pill bottom-post">
          <Icon name="plus-bold" />
        </span>
        {say('shortPost')}
      </Link>
      {isIn ? (
        <>
          <Place to="/earnings" icon="wallet" name={say('money')} />
          <button type="button" aria-haspopup="dialog" aria-expanded={isMoreOpen} onClick={onMore}>
            <span className="bottom-pill">
              <Icon name="dots-three-bold" />
            </span>
            {say('more')}
          </button>
        </>
      ) : (
        <>
          <Place to="/" icon="info-bold" name={say('how')} />
          <Place to="/sign-in" icon="user-circle" name={say('shortSignIn')} />
        </>
      )}
    </nav>
  )
}

type PlaceProps = { readonly to: string; readonly icon: IconName; readonly name: string }

function Place({ to, icon, name }: PlaceProps): ReactNode {
  return (
    <Link to={to} activeOptions={{ exact: true, includeSearch: false }}>
      <span className="bottom-pill">
        <Icon name={icon} />
      </span>
      {name}
    </Link>
  )
}
