import { lazy, Suspense, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { Button, LinkButton } from './button.tsx'
import { Failure } from './failure.tsx'
import { Logo } from './logo.tsx'
import { Page } from './page.tsx'

const messages = defineMessages({
  en: {
    title: 'This page did not open.',
    why: 'Something in the app went wrong, or the connection broke.',
    calm: 'If you were sending something, your tasks show whether it arrived. Try again, or go on from the start.',
    home: 'Go to the start',
  },
  es: {
    title: 'Esta página no se ha abierto.',
    why: 'Algo ha fallado en la aplicación, o se ha cortado la conexión.',
    calm: 'Si estabas enviando algo, tus tareas muestran si llegó. Vuelve a intentarlo o continúa desde el inicio.',
    home: 'Ir al inicio',
  },
})

const Report = lazy(() =>
  import('./crash-report.tsx').then(
    ({ CrashReport }) => ({ default: CrashReport }),
    // What broke may be the line: the ways on stay.
    () => ({ default: () => null }),
  ),
)

/** In the place of a screen that broke: what happened, the page once more, another way on, and what to report. */
export function Crashed({ error }: { readonly error: unknown }): ReactNode {
  const say = useMessages(messages)
  const common = useMessages(commonMessages)
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
        <Suspense>
          <Report error={error} />
        </Suspense>
      </div>
    </Page>
  )
}
