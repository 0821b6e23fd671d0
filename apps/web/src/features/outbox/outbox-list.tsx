import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { Badge, Card, Note } from '../../components/surface.tsx'
import { useNow } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useMarket } from '../../lib/market.tsx'
import { outboxMessages } from './messages.ts'
import { createOutbox } from './outbox.ts'
import { isLate, type Parcel } from './parcel.ts'

const everyMs = 5_000
/** It opens its store when it is first asked. */
export const outbox = createOutbox(() => Date.now())
export const outboxKey = (wallet: string): readonly unknown[] => ['outbox', wallet]

/** What this device still has to hand in for a wallet. It is sent on arrival, when the network comes back, and on demand. */
export function OutboxList({ wallet }: { readonly wallet: string }): ReactNode {
  const say = useMessages(outboxMessages)
  const market = useMarket()
  const queries = useQueryClient()
  const isOnline = useSyncExternalStore(subscribeToLine, () => navigator.onLine)
  const { data: parcels = [] } = useQuery({ queryKey: outboxKey(wallet), queryFn: () => outbox.list(wallet), networkMode: 'always', refetchInterval: everyMs })
  const { mutate, isPending } = useMutation({ networkMode: 'always', mutationFn: (isAsked: boolean) => outbox.drain(market, wallet, isAsked), onSettled: () => queries.invalidateQueries({ refetchType: 'active' }) })
  useEffect(() => {
    if (isOnline) mutate(true)
  }, [isOnline, mutate])
  useEffect(() => {
    const timer = setInterval(() => { void outbox.drain(market, wallet, false) }, everyMs)
    return () => { clearInterval(timer) }
  }, [market, wallet])
  if (parcels.length === 0) return null
  return (
    <section aria-labelledby="outbox" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="outbox">{say('title')}</h2>
        {parcels.some(({ state }) => state === 'waiting') && <Button busy={isPending} onClick={() => { mutate(true) }}>{say(isPending ? 'sending' : 'now')}</Button>}
      </div>
      <ul className="grid gap-3">{parcels.map((parcel) => <ParcelRow key={parcel.id} parcel={parcel} isOnline={isOnline} />)}</ul>
    </section>
  )
}

function ParcelRow({ parcel, isOnline }: { readonly parcel: Parcel; readonly isOnline: boolean }): ReactNode {
  const say = useMessages(outboxMessages)
  const now = useNow()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { state } = parcel
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: outboxKey(parcel.wallet) })
  return (
    <Card as="li" className="grid gap-2">
      <div role="status" className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-base">{parcel.title}</h3>
        <Badge tone={state === 'sent' ? 'good' : state === 'refused' ? 'bad' : 'warn'}>{say(state === 'waiting' && !isOnline ? 'offline' : state)}</Badge>
      </div>
      {isLate(parcel, now) && <Note tone="warn" title={say('late')} />}
      {parcel.failure !== null && <p className="text-sm text-quiet">{say('code', { code: parcel.failure })} · {say('attempts', { n: parcel.attempts })}</p>}
      <div className="flex flex-wrap gap-3">
        {state === 'refused' && <Button onClick={() => { void outbox.reopen(parcel).then(refresh).then(() => navigate({ to: '/work/$taskId/submit', params: { taskId: parcel.taskId } })) }}>{say('open')}</Button>}
        {state === 'sent' && <Button kind="quiet" onClick={() => { void outbox.forget(parcel.id).then(refresh) }}>{say('clear')}</Button>}
      </div>
    </Card>
  )
}

function subscribeToLine(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
