import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Loading } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { defineMessages } from '../../lib/messages.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { walletSheet } from '../../wallet/passkey/page-sheet.ts'

const messages = defineMessages({
  en: { sign: 'Your wallet asks', open: 'Open your wallet' },
  es: { sign: 'Tu cartera pregunta', open: 'Abre tu cartera' },
})
const AskedByWallet = lazy(async () => ({ default: (await import('./asked-by-wallet.tsx')).AskedByWallet }))

/** Where the wallet of this browser asks its person, whatever a page has asked of it. */
export function WalletSheetPlace(): ReactNode {
  const say = useMessages(messages)
  const common = useMessages(commonMessages)
  const ask = useSyncExternalStore(walletSheet.subscribe, walletSheet.current)
  return (
    <Dialog
      open={ask !== undefined}
      title={say(ask?.deed === undefined ? 'open' : 'sign')}
      onClose={() => ask?.refuse()}
    >
      {ask !== undefined && (
        <Suspense fallback={<Loading says={common('loading')} rows={2} />}>
          <AskedByWallet ask={ask} />
        </Suspense>
      )}
    </Dialog>
  )
}
