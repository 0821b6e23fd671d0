import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { Loading } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { listedWallets, subscribeToListed } from '../../wallet/passkey/listed-wallets.ts'

const OwnWallet = lazy(async () => ({ default: (await import('./own-wallet.tsx')).OwnWallet }))

/** What belongs to a wallet that was made in this browser; nothing for the others, which have screens of their own. */
export function WalletCard({ wallet }: { readonly wallet: string }): ReactNode {
  const common = useMessages(commonMessages)
  const listed = useSyncExternalStore(subscribeToListed, listedWallets)
  const own = listed.find(({ address }) => address === wallet)
  return own === undefined ? null : (
    <Suspense fallback={<Loading says={common('loading')} rows={1} />}>
      <OwnWallet key={own.address} listed={own} />
    </Suspense>
  )
}
