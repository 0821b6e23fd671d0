import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Facts, Loading } from '../../../components/surface.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorRead } from '../../../lib/operator.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { BanForm } from './ban-form.tsx'
import { adminWorkerMessages } from './messages.ts'
import type { KnownWallet } from './worker-row.tsx'

/** What an address says for a ban of a wallet that is still to be typed. */
export const anyWallet = 'new'

type BanProps = { readonly asked: string | undefined; readonly onClose: () => void }

/** Bans a wallet, or lifts its ban: which of them, the service says. */
export function BanDialog({ asked, onClose }: BanProps): ReactNode {
  const say = useMessages(adminWorkerMessages)
  const isAny = asked === anyWallet
  const read = useOperatorRead(
    'admin.workers',
    { search: asked ?? anyWallet, limit: 1 },
    { enabled: asked !== undefined && !isAny },
  )
  const known = isAny ? undefined : read.data?.workers[0]
  return (
    <Dialog open={asked !== undefined} title={say('dialogTitle')} onClose={onClose}>
      {asked !== undefined && (isAny || read.data !== undefined) && (
        <div className="grid gap-4">
          {known !== undefined && <Who known={known} />}
          <BanForm
            key={asked}
            wallet={known?.wallet_address}
            typed={isAny ? '' : asked}
            banned={known?.status === 'banned'}
            onClose={onClose}
          />
        </div>
      )}
      {asked !== undefined && !isAny && read.data === undefined && (
        <Waiting
          error={read.error}
          retry={() => {
            void read.refetch()
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

function Waiting({
  error,
  retry,
  onClose,
}: {
  readonly error: Error | null
  readonly retry: () => void
  readonly onClose: () => void
}): ReactNode {
  const common = useMessages(commonMessages)
  if (error === null) return <Loading says={common('loading')} rows={2} />
  return (
    <>
      <Failure error={error} retry={retry} />
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>{common('close')}</Button>
      </div>
    </>
  )
}

function Who({ known }: { readonly known: KnownWallet }): ReactNode {
  const say = useMessages(adminWorkerMessages)
  const format = useFormat()
  const { worker } = known
  return (
    <div className="grid gap-2">
      <p className="font-semibold">{worker === null ? say('neverWorked') : (worker.display_name ?? say('noName'))}</p>
      <Facts
        rows={[
          [
            say('wallet'),
            <span key="wallet" className="font-mono">
              {known.wallet_address}
            </span>,
          ],
          ...(known.banned_at === null ? [] : [[say('bannedAt'), format.dateTime(known.banned_at)] as const]),
          ...(known.ban_reason === null ? [] : [[say('banReason'), known.ban_reason] as const]),
        ]}
      />
    </div>
  )
}
