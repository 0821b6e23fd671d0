import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { shellMessages } from '../../shell/messages.ts'
import type { DiscoveredWallet } from '../../wallet/discovery.ts'
import { isPasskeyWallet } from '../../wallet/passkey/passkey-wallet.ts'
import { isTestWallet, testPersonas } from '../../wallet/test-wallet.ts'
import { useDiscoveredWallets } from '../../wallet/wallet.tsx'
import { Elsewhere } from './elsewhere.tsx'
import { InsecureEntry } from './insecure-page.tsx'
import { signInMessages } from './messages.ts'
import { PasskeyEntry } from './passkey-entry.tsx'
import type { Enter } from './use-entering.ts'

type ListProps = { readonly busy: string | undefined; readonly enter: Enter; readonly giveUp: () => void }

/** The wallets of this browser, each a way in; on a page that is not encrypted there is none. */
export function WalletList(props: ListProps): ReactNode {
  return isSecureContext ? <WaysIn {...props} /> : <InsecureEntry />
}

function WaysIn({ busy, enter, giveUp }: ListProps): ReactNode {
  const say = useMessages(signInMessages)
  const shell = useMessages(shellMessages)
  const wallets = useDiscoveredWallets()
  const real = wallets.filter((wallet) => !isTestWallet(wallet) && !isPasskeyWallet(wallet))
  const test = wallets.filter(isTestWallet)
  const nameOf = (wallet: DiscoveredWallet): string => {
    const persona = testPersonas.find((one) => isTestWallet(wallet) && one === wallet.name)
    return persona === undefined ? wallet.name : shell(persona)
  }
  const row = (wallet: DiscoveredWallet): ReactNode => (
    <li key={wallet.uuid}>
      <Button
        className="w-full justify-start"
        busy={busy === wallet.uuid}
        onClick={() => {
          enter(wallet)
        }}
      >
        {wallet.icon !== null && <img src={wallet.icon} alt="" width="28" height="28" />}
        {nameOf(wallet)}
      </Button>
      {busy === wallet.uuid && !isTestWallet(wallet) && <Asked name={nameOf(wallet)} giveUp={giveUp} />}
    </li>
  )
  return (
    <>
      <PasskeyEntry busy={busy} enter={enter} />
      <Card as="section" className="grid gap-3">
        <h2>{say('chooseWallet')}</h2>
        {real.length === 0 ? (
          <p className="text-quiet">{say('noWallet')}</p>
        ) : (
          <ul className="grid gap-2">{real.map(row)}</ul>
        )}
        <Elsewhere />
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

/** A wallet opens a window of its own, which may be behind this one, and may say nothing ever. */
function Asked({ name, giveUp }: { readonly name: string; readonly giveUp: () => void }): ReactNode {
  const say = useMessages(signInMessages)
  const common = useMessages(commonMessages)
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
      <p className="grow basis-48 text-sm text-quiet">{say('asked', { wallet: name })}</p>
      <Button kind="quiet" onClick={giveUp}>
        {common('cancel')}
      </Button>
    </div>
  )
}
