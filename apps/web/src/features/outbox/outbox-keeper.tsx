import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useMarket } from '../../lib/market.tsx'
import { outboxMessages } from './messages.ts'
import { createOutbox } from './outbox.ts'
import { isDue, type Parcel } from './parcel.ts'

const everyMs = 5_000
/** It opens its store when it is first asked. */
export const outbox = createOutbox(() => Date.now())
export const outboxKey = (wallet: string): readonly unknown[] => ['outbox', wallet]

/** What this device keeps for a wallet, with or without a network. */
export function useParcels(wallet: string): UseQueryResult<readonly Parcel[]> {
  return useQuery({ queryKey: outboxKey(wallet), queryFn: () => outbox.list(wallet), networkMode: 'always', refetchInterval: everyMs })
}

/** Sends what is due; `isAsked` does not wait for the pause after a failure. What was read before may be different then. */
export function useDrain(wallet: string): UseMutationResult<readonly Parcel[], Error, boolean> {
  const say = useMessages(outboxMessages)
  const market = useMarket()
  const queries = useQueryClient()
  const tell = useToast()
  return useMutation({
    networkMode: 'always',
    mutationFn: (isAsked: boolean) => outbox.drain(market, wallet, isAsked),
    onSuccess: (tried) => {
      for (const { state, title } of tried) if (state !== 'waiting') tell(say(state === 'sent' ? 'toldSent' : 'toldRefused', { title }))
      return tried.length === 0 ? undefined : queries.invalidateQueries()
    },
  })
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribeToLine, () => navigator.onLine)
}

/** Empties the outbox wherever the person is in the app: on arrival, when something is posted, when the network comes back. */
export function OutboxKeeper({ wallet }: { readonly wallet: string }): ReactNode {
  const isOnline = useIsOnline()
  const { data: parcels } = useParcels(wallet)
  const { mutate, isPending } = useDrain(wallet)
  useEffect(() => {
    if (isOnline) mutate(true)
  }, [isOnline, mutate])
  useEffect(() => {
    if (isOnline && !isPending && parcels?.some((one) => isDue(one, Date.now(), false)) === true) mutate(false)
  }, [isOnline, isPending, parcels, mutate])
  return null
}

function subscribeToLine(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
