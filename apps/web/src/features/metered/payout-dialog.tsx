import { useState, type ReactNode } from 'react'
import { bindPayoutAddress } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useMarket } from '../../lib/market.tsx'
import { serviceAddress } from '../../lib/service-address.ts'
import { useSession } from '../../wallet/wallet.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { ChooseWallet } from './choose-wallet.tsx'
import { meteredMessages } from './messages.ts'
import type { SolanaAccount } from './solana-wallets.ts'

type Props = { readonly executorId: string; readonly onClose: () => void }

/** Proves the address that a worker is paid at. */
export function PayoutDialog({ executorId, onClose }: Props): ReactNode {
  const say = useMessages(meteredMessages)
  const common = useMessages(commonMessages)
  const market = useMarket()
  const { wallet } = useSession()
  const tell = useToast()
  const [account, setAccount] = useState<SolanaAccount>()
  const [error, setError] = useState<Error>()
  const [isSigning, setSigning] = useState(false)
  const prove = async ({ address, signMessage }: SolanaAccount): Promise<void> => {
    if (typeof wallet !== 'string') return
    setSigning(true)
    try {
      const service = new URL(serviceAddress()).host
      const signer = { address, sign: signMessage }
      await bindPayoutAddress(market, { executor_id: executorId, signer, wallet, service })
      tell(say('payoutDone', { address }))
      onClose()
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)))
    } finally {
      setSigning(false)
    }
  }
  return (
    <Dialog open title={say('payoutTitle')} onClose={onClose}>
      <div className="grid gap-4">
        <p>{say('payoutLead')}</p>
        {account === undefined ? (
          <ChooseWallet onChosen={setAccount} />
        ) : (
          <>
            <code className="break-all">{account.address}</code>
            {error !== undefined && <Failure error={error} />}
            <div className="flex flex-wrap justify-end gap-3">
              <Button onClick={onClose}>{common('cancel')}</Button>
              <Button
                kind="primary"
                busy={isSigning}
                onClick={() => {
                  void prove(account)
                }}
              >
                {say('payoutSign')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}
