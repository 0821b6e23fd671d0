import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { commonMessages } from '../messages/common-messages.ts'
import { Failure } from './failure.tsx'
import { Page } from './page.tsx'

/** In the place of a screen that broke: what happened, in the reader's language, and the page once more. */
export function Crashed({ error }: { readonly error: unknown }): ReactNode {
  const say = useMessages(commonMessages)
  return (
    <Page title={say('somethingWrong')}>
      <Failure
        error={error}
        retry={() => {
          location.reload()
        }}
      />
    </Page>
  )
}
