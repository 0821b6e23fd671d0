import type { ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { PersonChip } from '../components/person.tsx'
import { Card } from '../components/surface.tsx'
import { useToast } from '../components/toast.tsx'
import { useEntering } from '../features/sign-in/use-entering.ts'
import { WalletList } from '../features/sign-in/wallet-list.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { useSettings } from '../lib/settings-context.tsx'
import { useLeaveTo } from '../lib/way-back.ts'
import { shellMessages } from '../shell/messages.ts'
import { isPasskeyWallet } from '../wallet/passkey/passkey-wallet.ts'
import { fundTestWallet, isTestWallet } from '../wallet/test-wallet.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/sign-in')

/** Wallets of this browser, and what signing in means; afterwards back to where the person came from. */
export function SignInScreen(): ReactNode {
  const say = useMessages(shellMessages)
  const session = useSession()
  const { then } = route.useSearch()
  const tell = useToast()
  const { faucetUrl } = useSettings()
  const leave = useLeaveTo()
  const { enter, busy, error } = useEntering(async ({ wallet: address }, wallet) => {
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
  return (
    <Page
      title={typeof session.wallet !== 'string' ? say('signIn') : say('welcome')}
      lead={typeof session.wallet !== 'string' ? say('signInLead') : undefined}
    >
      {error !== undefined && <Failure error={error} />}
      {typeof session.wallet === 'string' && <SignedInAs wallet={session.wallet} workerId={session.workerId} />}
      <WalletList busy={busy} enter={enter} />
    </Page>
  )
}

type SignedInProps = { readonly wallet: string; readonly workerId: string | null }

function SignedInAs({ wallet, workerId }: SignedInProps): ReactNode {
  const say = useMessages(shellMessages)
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
      <LinkButton to="/find" kind="primary">
        {say('goOn')}
      </LinkButton>
    </Card>
  )
}
