import { useState, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { Button, LinkButton } from './button.tsx'
import { Copyable } from './copyable.tsx'
import { Failure } from './failure.tsx'
import { Logo } from './logo.tsx'
import { Page } from './page.tsx'

const messages = defineMessages({
  en: {
    title: 'This page did not open.',
    why: 'Something in the app went wrong, or the connection broke.',
    calm: 'Your tasks and your money are as they were. Try again, or go on from the start.',
    home: 'Go to the start',
    send: 'It happens again? What to send to the operator',
    report: 'Report',
  },
  es: {
    title: 'Esta página no se ha abierto.',
    why: 'Algo ha fallado en la aplicación, o se ha cortado la conexión.',
    calm: 'Tus tareas y tu dinero siguen como estaban. Vuelve a intentarlo o continúa desde el inicio.',
    home: 'Ir al inicio',
    send: '¿Vuelve a pasar? Qué enviar a quien opera el servicio',
    report: 'Informe',
  },
})

/** In the place of a screen that broke: what happened, the page once more, another way on, and what to report. */
export function Crashed({ error }: { readonly error: unknown }): ReactNode {
  const say = useMessages(messages)
  const common = useMessages(commonMessages)
  const [at] = useState(() => new Date().toISOString())
  return (
    <Page title={say('title')}>
      <div className="grid gap-5 rounded-card bg-warm p-5 sm:p-8">
        <Logo size={56} />
        {error instanceof ErgonError ? (
          <Failure error={error} />
        ) : (
          <p role="alert" className="text-card leading-snug font-strong">
            {say('why')}
          </p>
        )}
        <p className="max-w-prose">{say('calm')}</p>
        <div className="flex flex-wrap gap-3">
          <Button
            kind="primary"
            onClick={() => {
              location.reload()
            }}
          >
            {common('retry')}
          </Button>
          <LinkButton to="/">{say('home')}</LinkButton>
        </div>
        <details className="fold min-w-0">
          <summary>{say('send')}</summary>
          <Copyable label={say('report')} text={reportOf(error, at)} />
        </details>
      </div>
    </Page>
  )
}

/** Where, when and what, in words that nobody has to translate; nothing of who looked at it. */
function reportOf(error: unknown, at: string): string {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return [location.pathname, at, said.slice(0, 300), navigator.userAgent].join('\n')
}
