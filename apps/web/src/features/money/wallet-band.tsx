import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { AddressDetails } from '../../components/address-details.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { ClosesOnBack } from '../../components/closes-on-back.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Note } from '../../components/surface.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { useSettings } from '../../lib/settings-context.tsx'
import { TestMoney } from './test-money.tsx'
import { walletMessages } from './wallet-messages.ts'

type Balance = Output<'payments.balance'>['balances'][number]
type Held = { readonly token: string; readonly network: string }

// Most look at their money and scan nothing.
const CodePicture = lazy(async () => ({ default: (await import('../../components/code-picture.tsx')).CodePicture }))
// Money goes out seldom.
const CashOut = lazy(async () => ({ default: (await import('./cash-out/cash-out.tsx')).CashOut }))

/** What the wallet holds now, and the two ways: in and out. */
export function WalletBand({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(walletMessages)
  const networkTitle = useNetworkTitle()
  const [shown, show] = useState<'in' | 'out'>()
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })
  const balance = useRead('payments.balance', { wallet }, { refetchInterval: 30_000 })
  const [first, ...others] = ordered(balance.data?.balances ?? [], networks.data?.preferred)
  const held: Held = { token: first?.token ?? 'USDC', network: networkTitle(first?.network ?? '') }
  const close = (): void => {
    show(undefined)
  }
  return (
    <section aria-label={say('inWallet')} className="night grid gap-5">
      <div className="grid gap-1.5">
        <p className="night-quiet text-sm">{say('inWallet')}</p>
        <p className="min-h-[1em] text-(length:--text-money-hero) leading-none">
          {first?.balance_usd !== null && first?.balance_usd !== undefined && (
            <Money usd={first.balance_usd} look="hero" inCents />
          )}
        </p>
        <p className="night-quiet text-sm">
          {balance.error !== null || first?.balance_usd === null
            ? say('unknown')
            : first !== undefined && say('holds', held)}
        </p>
        {others.map((one) => (
          <p key={`${one.network} ${one.token}`} className="night-quiet text-sm">
            <Money usd={one.balance_usd ?? 0} /> {one.token}, {networkTitle(one.network)}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap gap-3 *:grow">
        <Button kind="night" className="max-sm:px-2" onClick={() => show('in')}>
          <Icon name="plus-bold" /> {say('topUp')}
        </Button>
        <Button className="night-outline max-sm:px-2" onClick={() => show('out')}>
          <Icon name="arrow-up-right-bold" /> {say('cashOut')}
        </Button>
      </div>
      <Dialog
        open={shown !== undefined}
        title={say(shown === 'out' ? 'cashOutTitle' : 'topUpTitle')}
        onClose={close}
        closesOnScrim
      >
        <ClosesOnBack onClose={close} />
        {shown === 'out' ? (
          <Suspense>
            <CashOut
              wallet={wallet}
              balances={balance.data?.balances ?? []}
              preferred={first?.network}
              otherwise={<ByWallet held={held} wallet={wallet} network={first?.network} />}
            />
          </Suspense>
        ) : (
          <TopUp held={held} wallet={wallet} network={first?.network} />
        )}
        <div className="mt-5 grid">
          <Button onClick={close}>{say('close')}</Button>
        </div>
      </Dialog>
    </section>
  )
}

/** What is paid with by default first, then whatever else there is some of. */
function ordered(balances: readonly Balance[], preferred: string | undefined): readonly Balance[] {
  const first = balances.find(({ network }) => network === preferred) ?? balances[0]
  return first === undefined
    ? []
    : [first, ...balances.filter((one) => one !== first && one.balance_usd !== null && one.balance_usd > 0)]
}

type SheetProps = { readonly held: Held; readonly wallet: string; readonly network: string | undefined }

function TopUp({ held, wallet, network }: SheetProps): ReactNode {
  const say = useMessages(walletMessages)
  const { onRampUrl } = useSettings()
  return (
    <div className="grid gap-4">
      <p className="text-quiet">{say('topUpSays', held)}</p>
      <div className="grid min-h-56 justify-items-center">
        <Suspense>
          <CodePicture text={wallet} label={say('code')} />
        </Suspense>
      </div>
      <AddressDetails address={wallet} network={network} />
      <Note tone="warn" title={say('sameToken', held)}>
        <p>{say('othersLost')}</p>
      </Note>
      <TestMoney wallet={wallet} />
      {onRampUrl !== null && (
        <a
          href={onRampUrl.replace('{address}', encodeURIComponent(wallet))}
          target="_blank"
          rel="noreferrer noopener"
          className={buttonClass('primary')}
        >
          {say('buy', held)} <Icon name="arrow-up-right-bold" />
        </a>
      )}
    </div>
  )
}

function ByWallet({ held, wallet, network }: SheetProps): ReactNode {
  const say = useMessages(walletMessages)
  return (
    <div className="grid gap-5">
      <p className="text-quiet">{say('cashOutSays')}</p>
      <Timeline
        steps={(['step1', 'step2', 'step3'] as const).map((step) => ({
          title: say(step),
          detail: say(`${step}Says`, held),
          state: 'to-come',
        }))}
      />
      <div className="grid gap-1">
        <p className="text-sm text-quiet">{say('mine')}</p>
        <AddressDetails address={wallet} network={network} />
      </div>
    </div>
  )
}
