import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { PersonChip } from '../components/person.tsx'
import { Card } from '../components/surface.tsx'
import { useToast } from '../components/toast.tsx'
import { signInMessages } from '../features/sign-in/messages.ts'
import { useEntering } from '../features/sign-in/use-entering.ts'
import { WalletList } from '../features/sign-in/wallet-list.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useSettings } from '../lib/settings-context.tsx'
import { useLeaveTo } from '../lib/way-back.ts'
import { shellMessages } from '../shell/messages.ts'
import { isPasskeyWallet } from '../wallet/passkey/passkey-wallet.ts'
import { fundTestWallet, isTestWallet } from '../wallet/test-wallet.ts'
import { useSession, useWallet } from '../wallet/wallet.tsx'

const route = getRouteApi('/sign-in')

/** Wallets of this browser, and what signing in means; afterwards back to where the person came from. */
export function SignInScreen(): ReactNode {
  const say = useMessages(shellMessages)
  const session = useSession()
  const { then } = route.useSearch()
  const tell = useToast()
  const { faucetUrl } = useSettings()
  const leave = useLeaveTo()
  const { enter, busy, giveUp, error } = useEntering(async ({ wallet: address }, wallet) => {
    if ((isTestWallet(wallet) || isPasskeyWallet(wallet)) && faucetUrl !== null)
      void fundTestWallet(faucetUrl, address).then(
        () => {
          tell(say('funded'))
        },
        () => undefined,
      )
    // Only paths of this app: an address from outside must not be led to from here.
    if (then !== undefined && /^\/(?!\/)/.test(then)) await leave(then)
  })
  const list = <WalletList busy={busy} enter={enter} giveUp={giveUp} />
  return (
    <Page
      title={typeof session.wallet !== 'string' ? say('signIn') : say('welcome')}
      lead={typeof session.wallet !== 'string' && isSecureContext ? say('signInLead') : undefined}
    >
      {error !== undefined && <Failure error={error} />}
      {typeof session.wallet === 'string' ? (
        <>
          <SignedInAs wallet={session.wallet} workerId={session.workerId} />
          <Others isOpen={then !== undefined}>{list}</Others>
        </>
      ) : (
        list
      )}
    </Page>
  )
}

/** The ways in once more, for whoever wants to be another here, and open for whoever came for that. */
function Others({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }): ReactNode {
  const say = useMessages(signInMessages)
  return (
    <details open={isOpen}>
      <summary className="link inline-flex min-h-11 items-center">{say('otherWallet')}</summary>
      <div className="grid gap-6 pt-4">{children}</div>
    </details>
  )
}

type SignedInProps = { readonly wallet: string; readonly workerId: string | null }

function SignedInAs({ wallet, workerId }: SignedInProps): ReactNode {
  const say = useMessages(shellMessages)
  const { signOut } = useWallet()
  const { data } = useRead('workers.get', { executor_id: workerId ?? '' }, { enabled: workerId !== null })
  return (
    <Card as="section" className="flex flex-wrap items-center justify-between gap-4">
      <PersonChip
        address={wallet}
        party={data?.executor_type}
        name={data?.display_name}
        picture={data?.picture_url}
        size={44}
      />
      <div className="flex flex-wrap gap-3 max-wide:w-full max-wide:*:grow">
        <Button
          onClick={() => {
            void signOut().catch(() => undefined)
          }}
        >
          {say('signOut')}
        </Button>
        <LinkButton to="/find" kind="primary">
          {say('goOn')}
        </LinkButton>
      </div>
    </Card>
  )
}
