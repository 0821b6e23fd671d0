import { useState, type ReactNode } from 'react'
import { networkByName } from '@ergon/protocols'
import { ChallengeMismatch, readOffer, wireBytes, wireText, type Output } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Money } from '../../components/money.tsx'
import { Facts, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useMarket } from '../../lib/market.tsx'
import { serviceAddress } from '../../lib/service-address.ts'
import { useSettings } from '../../lib/settings-context.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { ChooseWallet } from './choose-wallet.tsx'
import { meteredMessages } from './messages.ts'
import type { SolanaAccount } from './solana-wallets.ts'
import { WhoSigns, type VoucherSigner } from './who-signs.tsx'

type Props = { readonly task: Pick<Output<'tasks.get'>, 'id'>; readonly onClose: () => void }
type Offer = Output<'channels.offer'>

/** Chooses a wallet, says what it will sign, and has it signed. */
export function FundDialog({ task, onClose }: Props): ReactNode {
  const say = useMessages(meteredMessages)
  const market = useMarket()
  const [account, setAccount] = useState<SolanaAccount>()
  const [offer, setOffer] = useState<Offer>()
  const [error, setError] = useState<Error>()
  const ask = (chosen: SolanaAccount): void => {
    setAccount(chosen)
    setError(undefined)
    market.channels.offer({ task_id: task.id, payer: chosen.address }).then(setOffer, setError)
  }
  return (
    <Dialog open title={say('fundTitle')} onClose={onClose}>
      <div className="grid gap-4">
        {account === undefined && <ChooseWallet onChosen={ask} />}
        {error !== undefined && <Failure error={error} />}
        {account !== undefined && offer !== undefined && (
          <SignOffer task={task} account={account} offer={offer} onClose={onClose} />
        )}
      </div>
    </Dialog>
  )
}

function SignOffer({
  task,
  account,
  offer,
  onClose,
}: Props & { readonly account: SolanaAccount; readonly offer: Offer }): ReactNode {
  const say = useMessages(meteredMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const tell = useToast()
  const market = useMarket()
  const { faucetUrl } = useSettings()
  const open = useChange('channels.open', ['tasks.get', 'streams.get', 'payments.events'])
  const [fault, setFault] = useState<'mismatch' | 'walletRefused'>()
  const [isSigning, setSigning] = useState(false)
  const [signer, setSigner] = useState<VoucherSigner>('service')
  const deposit = format.usd(offer.deposit_usd)
  const sign = async (): Promise<void> => {
    setSigning(true)
    setFault(undefined)
    try {
      // A blockhash is good for a minute, and reading took its time.
      const fields = {
        ...{ task_id: task.id, payer: account.address },
        ...(signer === 'buyer' && { authorized_signer: account.address }),
      }
      const fresh = await market.channels.offer(fields)
      readOffer(fresh, { ...agreedOf(offer, faucetUrl !== null), ...fields })
      const signed = await account.signTransaction(wireBytes(fresh.transaction))
      await open.mutateAsync({ ...fields, transaction: wireText(signed) })
      tell(say('opened'))
      onClose()
    } catch (cause) {
      if (cause instanceof ChallengeMismatch) setFault('mismatch')
      else if (!(cause instanceof Error && cause.name === 'ErgonError')) setFault('walletRefused')
    } finally {
      setSigning(false)
    }
  }
  return (
    <>
      <p>{say('fundLead', { deposit })}</p>
      <Terms account={account} offer={offer} />
      <WhoSigns signer={signer} onChange={setSigner} />
      {fault !== undefined && <Note tone="warn" title={say(fault)} role="alert" />}
      {open.error !== null && <Failure error={open.error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button
          kind="primary"
          busy={isSigning}
          onClick={() => {
            void sign()
          }}
        >
          {say('sign')}
        </Button>
      </div>
    </>
  )
}

type TermsProps = { readonly account: SolanaAccount; readonly offer: Offer }

/** What is signed, before the wallet opens. */
function Terms({ account, offer }: TermsProps): ReactNode {
  const say = useMessages(meteredMessages)
  const format = useFormat()
  return (
    <>
      <Facts rows={[[say('mostLost'), <Money key="most" usd={offer.deposit_usd} />]]} />
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        <li>{say('workerShare', { share: format.percent(0.87) })}</li>
        <li>{say('leave', { minutes: Math.round(offer.grace_period_seconds / 60) })}</li>
      </ul>
      <details>
        <summary className="link inline-flex min-h-11 items-center">{say('addresses')}</summary>
        {/* Each under its name: beside it, a phone would break it into four lines. */}
        <dl className="grid gap-2 text-sm">
          {[[say('paysWorker'), offer.worker] as const, [say('signedBy'), account.address] as const].map(
            ([name, address]) => (
              <div key={name}>
                <dt className="text-quiet">{name}</dt>
                <dd className="font-mono break-all">{address}</dd>
              </div>
            ),
          )}
        </dl>
      </details>
    </>
  )
}

/** What the dialog showed is what may be signed; off the local ledger the token is that of the table. */
function agreedOf(shown: Offer, isLocal: boolean) {
  const most = BigInt(Math.round(shown.deposit_usd * 1e6))
  return {
    ...{ worker: shown.worker, program_id: shown.program_id },
    mint: isLocal ? shown.mint : (networkByName('solana')?.tokens['USDC']?.address ?? ''),
    service: new URL(serviceAddress()).host,
    deposits: { least: most, most },
  }
}
