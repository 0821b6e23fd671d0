import { useState, type ReactNode } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Address } from '../components/address.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Page } from '../components/page.tsx'
import { Card, Note } from '../components/surface.tsx'
import { useToast } from '../components/toast.tsx'
import { useMessages } from '../lib/i18n.tsx'
import { useSettings } from '../lib/settings-context.tsx'
import { shellMessages } from '../shell/messages.ts'
import type { DiscoveredWallet } from '../wallet/discovery.ts'
import { fundTestWallet, isTestWallet, testPersonas } from '../wallet/test-wallet.ts'
import { useDiscoveredWallets, useSession, useWallet } from '../wallet/wallet.tsx'

const route = getRouteApi('/sign-in')

/** Wallets of this browser, and what signing in means; afterwards back to where the person came from. */
export function SignInScreen(): ReactNode {
  const say = useMessages(shellMessages)
  const session = useSession()
  const { signIn } = useWallet()
  const { then } = route.useSearch()
  const navigate = useNavigate()
  const tell = useToast()
  const { faucetUrl } = useSettings()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<string>()
  const enter = (wallet: DiscoveredWallet): void => {
    setBusy(wallet.uuid)
    setError(undefined)
    signIn(wallet, { title: say('signInIntent', { host: location.host }), explanation: say('signInExplains'), mostLostUsd: 0 }).then(async ({ wallet: address }) => {
      if (isTestWallet(wallet) && faucetUrl !== null) void fundTestWallet(faucetUrl, address).then(() => { tell(say('funded')) }, () => undefined)
      // Only paths of this app: an address from outside must not be led to from here.
      if (then !== undefined && /^\/(?!\/)/.test(then)) await navigate({ href: then })
    }).catch(setError).finally(() => { setBusy(undefined) })
  }
  return (
    <Page title={typeof session.wallet !== 'string' ? say('signIn') : say('welcome')} lead={say('signInLead')}>
      {error !== undefined && <Failure error={error} />}
      {typeof session.wallet === 'string' && (
        <Note tone="good" title={say('signedInAs')}>
          <p><Address value={session.wallet} /></p>
          <div className="mt-2"><LinkButton to="/" kind="primary">{say('goOn')}</LinkButton></div>
        </Note>
      )}
      <WalletList busy={busy} enter={enter} />
    </Page>
  )
}

function WalletList({ busy, enter }: { readonly busy: string | undefined; readonly enter: (wallet: DiscoveredWallet) => void }): ReactNode {
  const say = useMessages(shellMessages)
  const wallets = useDiscoveredWallets()
  const real = wallets.filter((wallet) => !isTestWallet(wallet))
  const test = wallets.filter(isTestWallet)
  const nameOf = (wallet: DiscoveredWallet): string => {
    const persona = testPersonas.find((one) => isTestWallet(wallet) && one === wallet.name)
    return persona === undefined ? wallet.name : say(persona)
  }
  const row = (wallet: DiscoveredWallet): ReactNode => (
    <li key={wallet.uuid}>
      <Button className="w-full justify-start" busy={busy === wallet.uuid} onClick={() => { enter(wallet) }}>
        {wallet.icon !== null && <img src={wallet.icon} alt="" width="28" height="28" />}
        {nameOf(wallet)}
      </Button>
    </li>
  )
  return (
    <>
      <Card as="section">
        <h2 className="mb-3">{say('chooseWallet')}</h2>
        {real.length === 0
          ? <div className="grid gap-2"><p className="font-semibold">{say('noWallet')}</p><p className="text-quiet">{say('noWalletHelp')}</p></div>
          : <ul className="grid gap-2">{real.map(row)}</ul>}
      </Card>
      {test.length > 0 && (
        <Card as="section">
          <h2 className="mb-1">{say('testWallets')}</h2>
          <p className="mb-3 text-quiet">{say('testHelp')}</p>
          <ul className="grid gap-2">{test.map(row)}</ul>
        </Card>
      )}
    </>
  )
}
