import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useSettings } from '../../lib/settings-context.tsx'
import { meteredMessages } from './messages.ts'
import { discoverSolanaWallets, type SolanaAccount, type SolanaWallet } from './solana-wallets.ts'

/** The Solana wallets of this browser, and on a local ledger a test wallet. */
export function ChooseWallet({ onChosen }: { readonly onChosen: (account: SolanaAccount) => void }): ReactNode {
  const say = useMessages(meteredMessages)
  const { faucetUrl } = useSettings()
  const [found, setFound] = useState<readonly SolanaWallet[]>([])
  const [busy, setBusy] = useState<string>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => discoverSolanaWallets(window, setFound), [])
  const test: readonly SolanaWallet[] =
    faucetUrl === null
      ? []
      : [
          {
            name: say('testWallet'),
            icon: null,
            isTest: true,
            connect: async () => (await import('./test-solana-wallet.ts')).connectTestWallet(faucetUrl),
          },
        ]
  const choose = (wallet: SolanaWallet): void => {
    setBusy(wallet.name)
    setFailed(false)
    wallet.connect().then(onChosen, () => {
      setBusy(undefined)
      setFailed(true)
    })
  }
  const wallets = [...found, ...test]
  return (
    <div className="grid gap-3">
      <p className="font-semibold">{say('chooseWallet')}</p>
      {wallets.length === 0 && <Note>{say('noWallet')}</Note>}
      {wallets.map((wallet) => (
        <div key={wallet.name} className="grid gap-1">
          <Button
            busy={busy === wallet.name}
            onClick={() => {
              choose(wallet)
            }}
          >
            {wallet.icon !== null && <img src={wallet.icon} alt="" className="size-5" />}
            {wallet.name}
          </Button>
          {wallet.isTest && <p className="text-sm text-quiet">{say('testWalletHelp')}</p>}
        </div>
      ))}
      {hasFailed && <Note tone="warn" title={say('walletRefused')} role="alert" />}
    </div>
  )
}
