import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { Failure } from './failure.tsx'
import { Page } from './page.tsx'

const messages = defineMessages({
  en: { title: 'This page did not open.' },
  es: { title: 'Esta página no se ha abierto.' },
})

/** In the place of a screen that broke: what happened, in the reader's language, and the page once more. */
export function Crashed({ error }: { readonly error: unknown }): ReactNode {
  const say = useMessages(messages)
  return (
    <Page title={say('title')}>
      <Failure
        error={error}
        retry={() => {
          location.reload()
        }}
      />
    </Page>
  )
}
