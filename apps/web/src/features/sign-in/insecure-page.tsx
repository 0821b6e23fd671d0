import type { ReactNode } from 'react'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { defineMessages } from '../../lib/messages.ts'
import { secureAddress } from '../../lib/secure-address.ts'
import { useSettings } from '../../lib/settings-context.tsx'

const messages = defineMessages({
  en: {
    bar: 'This page is not encrypted.',
    title: 'Nobody can sign in on a page that is not encrypted',
    why: 'Whoever is on the way could take your session and your money.',
    open: 'To sign in, open',
    onItself: 'on the computer that runs this service, or its https address.',
    ask: 'To sign in, open the https address of this service. Whoever runs it knows it.',
  },
  es: {
    bar: 'Esta página no está cifrada.',
    title: 'Nadie puede iniciar sesión en una página sin cifrar',
    why: 'Cualquiera en el camino podría quedarse con tu sesión y tu dinero.',
    open: 'Para iniciar sesión, abre',
    onItself: 'en el ordenador donde funciona este servicio, o su dirección https.',
    ask: 'Para iniciar sesión, abre la dirección https de este servicio. La conoce quien lo gestiona.',
  },
})

/** On every screen, before anybody fills in a form whose draft stays at this address. */
export function InsecureBar(): ReactNode {
  const say = useMessages(messages)
  return (
    <p className="bg-warn-soft px-4 py-2 text-center text-sm font-label text-warn">
      {say('bar')} <WayOn />
    </p>
  )
}

/** In the place of the ways in. */
export function InsecureEntry(): ReactNode {
  const say = useMessages(messages)
  return (
    <Note tone="warn" title={say('title')}>
      <p>{say('why')}</p>
      <p>
        <WayOn />
      </p>
    </Note>
  )
}

function WayOn(): ReactNode {
  const say = useMessages(messages)
  const { serviceUrl } = useSettings()
  const address = secureAddress(serviceUrl, location)
  if (address === undefined) return say('ask')
  return (
    <>
      {say('open')}{' '}
      <a className="underline wrap-anywhere" href={address.href}>
        {address.href}
      </a>
      {address.isLocal ? ` ${say('onItself')}` : '.'}
    </>
  )
}
