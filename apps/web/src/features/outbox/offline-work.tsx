import type { ReactNode } from 'react'
import { Address } from '../../components/address.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Card, Empty, Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { outboxMessages } from '../../components/outbox/messages.ts'
import { useDrafts, useIsReadable, useParcels } from '../../components/outbox/outbox-keeper.tsx'
import { OutboxList } from './outbox-list.tsx'

/** What this device keeps of the wallet that was signed in here last, while nobody can be asked who is. */
export function OfflineWork({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(outboxMessages)
  const { data: parcels } = useParcels(wallet)
  const { data: drafts } = useDrafts(wallet)
  const isReadable = useIsReadable()
  return (
    <>
      <Note tone="warn" role="status" title={say('away')}>
        <p>{say.rich('awayHelp', { wallet: () => <Address value={wallet} /> })}</p>
      </Note>
      {isReadable === true && parcels?.length === 0 && drafts?.length === 0 && <Empty title={say('awayEmpty')} />}
      <OutboxList wallet={wallet} canSend={false} />
      {drafts !== undefined && drafts.length > 0 && (
        <section aria-labelledby="drafts" className="grid gap-3">
          <h2 id="drafts">{say('drafts')}</h2>
          <ul className="grid gap-3">
            {drafts.map(({ taskId, title }) => (
              <Card as="li" key={taskId} className="flex flex-wrap items-center justify-between gap-3">
                <h3 className="text-base">{title}</h3>
                <LinkButton to="/work/$taskId/submit" params={{ taskId }}>
                  {say('seeKept')}
                  <span className="visually-hidden">{`: ${title}`}</span>
                </LinkButton>
              </Card>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
