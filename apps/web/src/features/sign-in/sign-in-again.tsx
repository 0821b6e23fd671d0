import type { ReactNode } from 'react'
import { Address } from '../../components/address.tsx'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { SignInAsk } from '../../lib/signing-in-again.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { signInMessages } from './messages.ts'
import { useEntering } from './use-entering.ts'
import { WalletList } from './wallet-list.tsx'

/**
 * Signing in beside the screen. Whoever comes back as another person does not go on with what the first one asked for.
 */
export function SignInAgain({ ask }: { readonly ask: SignInAsk }): ReactNode {
  const say = useMessages(signInMessages)
  const common = useMessages(commonMessages)
  const { enter, busy, giveUp, error } = useEntering(({ wallet }) => {
    ask.end(ask.wallet === null || wallet.toLowerCase() === ask.wallet)
  })
  return (
    <div className="grid gap-4">
      <p>{say('again')}</p>
      {ask.wallet !== null && (
        <p>
          {say('before')} <Address value={ask.wallet} />
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
      <WalletList busy={busy} enter={enter} giveUp={giveUp} />
      <div className="flex justify-end">
        <Button
          onClick={() => {
            ask.end(false)
          }}
        >
          {common('cancel')}
        </Button>
      </div>
    </div>
  )
}
