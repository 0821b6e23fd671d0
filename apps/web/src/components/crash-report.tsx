import { useState, type ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { Copyable } from './copyable.tsx'

const messages = defineMessages({
  en: { send: 'It happens again? What to send to the operator', report: 'Report' },
  es: { send: '¿Vuelve a pasar? Qué enviar a quien opera el servicio', report: 'Informe' },
})

/** Where, when and what, in words that nobody has to translate; nothing of who looked at it. */
export function CrashReport({ error }: { readonly error: unknown }): ReactNode {
  const say = useMessages(messages)
  const [at] = useState(() => new Date().toISOString())
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return (
    <details className="fold min-w-0">
      <summary>{say('send')}</summary>
      <Copyable
        label={say('report')}
        text={[location.pathname, at, said.slice(0, 300), navigator.userAgent].join('\n')}
      />
    </details>
  )
}
