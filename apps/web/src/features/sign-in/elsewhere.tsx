import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useRouterState } from '@tanstack/react-router'
import { Button, buttonClass } from '../../components/button.tsx'
import { Loading } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { passkeyMessages } from './passkey-messages.ts'
import { isOfThisMachine, placeToGoOn, walletApps } from '../../lib/phone-links.ts'

const AddressCode = lazy(async () => ({ default: (await import('./address-code.tsx')).AddressCode }))

/** The ways to a wallet that is not in this browser: inside the app of one, or on a phone. */
export function Elsewhere(): ReactNode {
  const say = useMessages(passkeyMessages)
  const common = useMessages(commonMessages)
  const [isCodeWanted, setCodeWanted] = useState(false)
  const then = useRouterState({ select: ({ location: { pathname, search, href } }) => thenOf(pathname, search, href) })
  const place = placeToGoOn(location, then)
  if (!isByTouch())
    return isCodeWanted ? (
      isOfThisMachine(location.hostname) ? (
        <p className="text-quiet" role="status">
          {say('codeLocal')}
        </p>
      ) : (
        <Suspense fallback={<Loading says={common('loading')} rows={1} />}>
          <AddressCode address={`${place.origin}${place.path}`} />
        </Suspense>
      )
    ) : (
      <Button
        kind="quiet"
        onClick={() => {
          setCodeWanted(true)
        }}
      >
        {say('goOnPhone')}
      </Button>
    )
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">{say('phone')}</h3>
      <p className="text-quiet">{say('phoneLead')}</p>
      <ul className="grid gap-2">
        {walletApps.map(({ name, href }) => (
          <li key={name}>
            <a className={buttonClass('secondary', 'w-full')} href={href(place)}>
              {say('openIn', { app: name })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A finger and no mouse: a phone or a tablet, which has the apps. */
const isByTouch = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches

/** From the way in, where it leads; from another screen, that screen. */
function thenOf(pathname: string, search: object, href: string): string | undefined {
  if (pathname !== '/sign-in') return href
  const then: unknown = Reflect.get(search, 'then')
  return typeof then === 'string' ? then : undefined
}
