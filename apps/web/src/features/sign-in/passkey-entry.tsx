import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card, Loading, Note } from '../../components/surface.tsx'
import { WhenNeeded } from '../../components/when-needed.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { namedHref } from '../../wallet/passkey/named-href.ts'
import { isPasskeyPlace } from '../../wallet/passkey/passkey-place.ts'
import { isPasskeyWallet } from '../../wallet/passkey/passkey-wallet.ts'
import { useDiscoveredWallets } from '../../wallet/wallet.tsx'
import { passkeyMessages } from './passkey-messages.ts'
import type { Enter } from './use-entering.ts'

const MakeWallet = lazy(async () => ({ default: (await import('./make-wallet.tsx')).MakeWallet }))
const BringWallet = lazy(async () => ({ default: (await import('./bring-wallet.tsx')).BringWallet }))

type EntryProps = { readonly busy: string | undefined; readonly enter: Enter }

/** The wallets that were made in this browser, and how to make one: a name and a passkey. */
export function PasskeyEntry({ busy, enter }: EntryProps): ReactNode {
  const say = useMessages(passkeyMessages)
  const common = useMessages(commonMessages)
  const wallets = useDiscoveredWallets().filter(isPasskeyWallet)
  const [wanted, setWanted] = useState<'make' | 'bring'>()
  const isNew = wallets.length === 0
  const loading = <Loading says={common('loading')} rows={1} />
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say(isNew ? 'newTitle' : 'yours')}</h2>
      {!isPasskeyPlace(location.hostname) && <NamedNote />}
      <ul className="grid gap-2 empty:hidden">
        {wallets.map((wallet) => (
          <li key={wallet.uuid}>
            <Button
              kind="primary"
              className="w-full"
              busy={busy === wallet.uuid}
              onClick={() => {
                enter(wallet)
              }}
            >
              {say('signInAs', { name: wallet.name })}
            </Button>
          </li>
        ))}
      </ul>
      {isNew || wanted === 'make' ? (
        <Suspense fallback={loading}>
          <MakeWallet isFirst={isNew} enter={enter} isEntering={wallets.some(({ uuid }) => uuid === busy)} />
        </Suspense>
      ) : (
        <Button
          kind="quiet"
          onClick={() => {
            setWanted('make')
          }}
        >
          {say('anotherTitle')}
        </Button>
      )}
      <Button
        kind="quiet"
        onClick={() => {
          setWanted('bring')
        }}
      >
        {say('bring')}
      </Button>
      <Dialog
        open={wanted === 'bring'}
        title={say('bringTitle')}
        onClose={() => {
          setWanted(undefined)
        }}
      >
        <WhenNeeded needed={wanted === 'bring'}>
          <BringWallet
            onEnd={() => {
              setWanted(undefined)
            }}
          />
        </WhenNeeded>
      </Dialog>
    </Card>
  )
}

/** On a local chain the same page has a name too; elsewhere an operator knows it. */
function NamedNote(): ReactNode {
  const say = useMessages(passkeyMessages)
  const href = namedHref(location)
  return (
    <Note tone="warn" title={say('named')}>
      {/^(?:127\.|\[::1\])/.test(location.hostname) && (
        <a className="link inline-flex min-h-11 items-center" href={`${href}sign-in`}>
          {say('openNamed', { href })}
        </a>
      )}
    </Note>
  )
}
