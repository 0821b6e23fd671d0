import { lazy, Suspense, type ReactNode } from 'react'
import { ClosesOnBack } from '../components/closes-on-back.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Loading } from '../components/surface.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useSignInAsk } from '../lib/signing-in-again.tsx'
import { commonMessages } from '../messages/common-messages.ts'

// Most sessions last longer than the visit.
const SignInAgain = lazy(async () => ({ default: (await import('../features/sign-in/sign-in-again.tsx')).SignInAgain }))

/** Where a person whose session ended signs in without leaving the screen. */
export function SignInDialog(): ReactNode {
  const common = useMessages(commonMessages)
  const ask = useSignInAsk()
  const leave = (): void => {
    ask?.end(false)
  }
  return (
    <Dialog open={ask !== undefined} title={common('signIn')} onClose={leave}>
      {ask !== undefined && <ClosesOnBack onClose={leave} />}
      {ask !== undefined && (
        <Suspense fallback={<Loading says={common('loading')} rows={2} />}>
          <SignInAgain ask={ask} />
        </Suspense>
      )}
    </Dialog>
  )
}
