import { useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Address } from '../components/address.tsx'
import { Button, LinkButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Failure } from '../components/failure.tsx'
import { TextField } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { PersonChip } from '../components/person.tsx'
import { SessionUnknown } from '../components/session-unknown.tsx'
import { SignedOut } from '../components/signed-out.tsx'
import { Card, Facts } from '../components/surface.tsx'
import { useToast } from '../components/toast.tsx'
import { WalletCard } from '../features/sign-in/wallet-card.tsx'
import { BlockedCard } from '../features/account/blocked-card.tsx'
import { accountMessages } from '../features/account/messages.ts'
import { saveAs } from '../lib/csv.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useChange, useMarket, useRead } from '../lib/market.tsx'
import { useCloseDialog } from '../lib/way-back.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession, useWallet } from '../wallet/wallet.tsx'

const route = getRouteApi('/account')

/** Payout addresses, blocked wallets, the data that is kept, and the way out. */
export function AccountScreen(): ReactNode {
  const say = useMessages(accountMessages)
  const { wallet, workerId } = useSession()
  return (
    <Page title={say('account')} lead={say('accountLead')}>
      {wallet === null && <SignedOut what={say('accountSignedOut')} />}
      {wallet === undefined && <SessionUnknown />}
      {typeof wallet === 'string' && (
        <>
          <Mine wallet={wallet} workerId={workerId} />
          <Export />
          <BlockedCard wallet={wallet} workerId={workerId} />
          <Deletion />
        </>
      )}
    </Page>
  )
}

type Worker = Output<'workers.get'>
type MineProps = { readonly wallet: string; readonly workerId: string | null }

function Mine({ wallet, workerId }: MineProps): ReactNode {
  const { data, error } = useRead('workers.get', { executor_id: workerId ?? '' }, { enabled: workerId !== null })
  return (
    <>
      <Myself wallet={wallet} worker={data} />
      {error !== null && <Failure error={error} />}
      <WalletCard wallet={wallet} />
      <Payout wallet={wallet} solana={workerId === null ? null : data?.solana_payout_address} />
    </>
  )
}

/** Who one is here, as others see it. */
function Myself({ wallet, worker }: { readonly wallet: string; readonly worker: Worker | undefined }): ReactNode {
  const say = useMessages(accountMessages)
  return (
    <Card as="section" className="flex flex-wrap items-center justify-between gap-4">
      <PersonChip
        address={wallet}
        party={worker?.executor_type}
        name={worker?.display_name}
        picture={worker?.picture_url}
        size={44}
      />
      <LinkButton to="/profile">{say('toProfile')}</LinkButton>
    </Card>
  )
}

type PayoutProps = {
  readonly wallet: string
  /** Null where there is none; undefined as long as that is not known. */
  readonly solana: string | null | undefined
}

function Payout({ wallet, solana }: PayoutProps): ReactNode {
  const say = useMessages(accountMessages)
  const signer = useRead('account.payboxLink', {})
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('payout')}</h2>
      <p>{say('payoutEvm')}</p>
      <p>
        <Address value={wallet} />
      </p>
      {(typeof solana === 'string' || signer.data?.enabled === true) && (
        <Facts
          rows={[
            ...(typeof solana === 'string'
              ? [[say('payoutSolana'), <Address key="solana" value={solana} />] as const]
              : []),
            ...(signer.data?.enabled === true
              ? [[say('paybox'), say(signer.data.status === 'linked' ? 'payboxLinked' : 'payboxNone')] as const]
              : []),
          ]}
        />
      )}
      {solana === null && <p className="text-sm text-quiet">{say('payoutNone')}</p>}
      {signer.error !== null && <Failure error={signer.error} />}
    </Card>
  )
}

function Export(): ReactNode {
  const say = useMessages(accountMessages)
  const market = useMarket()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const save = (): void => {
    setBusy(true)
    setError(undefined)
    market.account
      .export({})
      .then((data) => {
        saveAs('ergon-account.json', JSON.stringify(data, null, 2), 'application/json')
      })
      .catch(setError)
      .finally(() => {
        setBusy(false)
      })
  }
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('export')}</h2>
      <p className="text-quiet">{say('exportLead')}</p>
      {error !== undefined && <Failure error={error} />}
      <div>
        <Button busy={busy} onClick={save}>
          {say('exportButton')}
        </Button>
      </div>
    </Card>
  )
}

function Deletion(): ReactNode {
  const say = useMessages(accountMessages)
  const common = useMessages(commonMessages)
  const { delete: asked } = route.useSearch()
  const navigate = useNavigate()
  const closeDialog = useCloseDialog()
  const tell = useToast()
  const { signOut } = useWallet()
  const [typed, setTyped] = useState('')
  const remove = useChange('account.remove')
  const close = (): void => {
    closeDialog({ to: '/account', search: {} })
  }
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('deleteTitle')}</h2>
      <p className="text-quiet">{say('deleteLead')}</p>
      <div>
        <LinkButton to="/account" search={{ delete: '1' }} resetScroll={false} kind="danger">
          {say('deleteTitle')}
        </LinkButton>
      </div>
      <Dialog open={asked === '1'} title={say('deleteTitle')} onClose={close}>
        <div className="grid gap-4">
          <p>{say('deleteLead')}</p>
          <TextField
            label={say('deleteConfirm', { word: say('deleteWord') })}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
            }}
          />
          {remove.error !== null && <Failure error={remove.error} />}
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={close}>{common('cancel')}</Button>
            <Button
              kind="danger"
              disabled={typed !== say('deleteWord')}
              busy={remove.isPending}
              onClick={() => {
                remove.mutate(
                  {},
                  {
                    onSuccess: () => {
                      tell(say('deleted'))
                      // The session may be gone with the account already.
                      void signOut()
                        .catch(() => undefined)
                        .then(() => navigate({ to: '/', replace: true }))
                    },
                  },
                )
              }}
            >
              {say('deleteButton')}
            </Button>
          </div>
        </div>
      </Dialog>
    </Card>
  )
}
