import type { ReactNode } from 'react'
import { useMessages } from '../../lib/i18n.tsx'
import { defineMessages } from '../../lib/messages.ts'

const messages = defineMessages({
  en: {
    moved: 'This service has another address now. To sign in, open',
    wallet: 'A wallet that was made here opens here alone: save its key file first.',
  },
  es: {
    moved: 'Este servicio tiene ahora otra dirección. Para iniciar sesión, abre',
    wallet: 'Una cartera creada aquí solo se abre aquí: guarda antes su archivo de clave.',
  },
})

/** On every screen under a name that the service had before. */
export function MovedBar({ address }: { readonly address: string }): ReactNode {
  const say = useMessages(messages)
  return (
    <p className="bg-warn-soft px-4 py-2 text-center text-sm font-label text-warn">
      {say('moved')}{' '}
      <a className="underline wrap-anywhere" href={address}>
        {address}
      </a>
      . {say('wallet')}
    </p>
  )
}
