import { lazy, Suspense, type ReactNode } from 'react'
import { ClosesOnBack } from '../components/closes-on-back.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Loading } from '../components/surface.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSigningRequest } from '../wallet/wallet.tsx'

const messages = defineMessages({ en: { title: 'Before you sign' }, es: { title: 'Antes de firmar' } })
// Most visits sign nothing; what explains a signature comes with the first.
const ExplainedRequest = lazy(async () => ({ default: (await import('./explained-request.tsx')).ExplainedRequest }))

/** Explains every signature before the wallet opens: who pays whom, the most one can lose, and until when. */
export function SigningDialog(): ReactNode {
  const say = useMessages(messages)
  const common = useMessages(commonMessages)
  const request = useSigningRequest()
  return (
    <Dialog open={request !== undefined} title={say('title')} small onClose={() => request?.refuse()}>
      {request !== undefined && <ClosesOnBack onClose={request.refuse} />}
      {request !== undefined && (
        <Suspense fallback={<Loading says={common('loading')} rows={2} />}>
          <ExplainedRequest request={request} />
        </Suspense>
      )}
    </Dialog>
  )
}
