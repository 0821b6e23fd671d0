import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useToast } from '../toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { refuseOtherSession } from '../../lib/kept-wallet.ts'
import { useMarket } from '../../lib/market.tsx'
import { outboxMessages } from './messages.ts'
import { createOutbox } from './outbox.ts'
import { isDue, type Answers, type Draft, type Parcel } from './parcel.ts'

const everyMs = 5_000
/** It opens its store when it is first asked. */
export const outbox = createOutbox(() => Date.now())
export const outboxKey = (wallet: string): readonly unknown[] => ['outbox', wallet]

/** What this device keeps for a wallet, with or without a network. */
export function useParcels(wallet: string): UseQueryResult<readonly Parcel[]> {
  return useQuery({
    queryKey: outboxKey(wallet),
    queryFn: () => outbox.list(wallet),
    networkMode: 'always',
    refetchInterval: everyMs,
  })
}

/** What was begun for a wallet on this device and is not handed in. */
export function useDrafts(wallet: string): UseQueryResult<readonly Draft[]> {
  return useQuery({
    queryKey: ['drafts', wallet],
    queryFn: () => outbox.drafts(wallet),
    networkMode: 'always',
    gcTime: 0,
    staleTime: 0,
  })
}

/** Whether this device says what it keeps: what it does not tell is unknown, and not nothing. */
export function useIsReadable(): boolean | undefined {
  return useQuery({
    queryKey: ['outbox-readable'],
    queryFn: () => outbox.isReadable(),
    networkMode: 'always',
    refetchInterval: everyMs,
  }).data
}

/** Under which name the words of a submission are kept while they are typed. */
export const typedName = (wallet: string, taskId: string): string => `submit.${wallet}.${taskId}`

/** What this device keeps for one task: the draft, or what was refused. */
export type Kept = {
  readonly title: string | undefined
  readonly answers: Answers
  readonly note: string
  readonly isStored: boolean
}

/** Of a waiting parcel as well, where it has no draft beside it. */
export function useKept(wallet: string | undefined, taskId: string): Kept | undefined {
  const { data, error } = useQuery({
    queryKey: ['kept', wallet, taskId],
    networkMode: 'always',
    gcTime: 0,
    staleTime: Infinity,
    enabled: wallet !== undefined,
    queryFn: async (): Promise<Kept> => {
      const [draft, parcels] = await Promise.all([outbox.readDraft(wallet ?? '', taskId), outbox.list(wallet ?? '')])
      const parcel = parcels.find((one) => one.taskId === taskId && one.state !== 'sent')
      return {
        title: draft?.title ?? parcel?.title,
        answers: { ...parcel?.answers, ...draft?.answers },
        note: parcel?.notes ?? '',
        isStored: true,
      }
    },
  })
  return error === null ? data : { title: undefined, answers: {}, note: '', isStored: false }
}

/**
 * Sends what is due; `isAsked` does not wait for the pause after a failure. What was read before may be different then.
 */
export function useDrain(wallet: string): UseMutationResult<readonly Parcel[], Error, boolean> {
  const say = useMessages(outboxMessages)
  const market = useMarket()
  const queries = useQueryClient()
  const tell = useToast()
  return useMutation({
    networkMode: 'always',
    mutationFn: async (isAsked: boolean) => {
      refuseOtherSession(wallet)
      return outbox.drain(market, wallet, isAsked)
    },
    onSuccess: (tried) => {
      for (const { state, title } of tried)
        if (state !== 'waiting') tell(say(state === 'sent' ? 'toldSent' : 'toldRefused', { title }))
      return tried.length === 0 ? undefined : queries.invalidateQueries()
    },
  })
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(subscribeToLine, () => navigator.onLine)
}

/**
 * Empties the outbox wherever the person is in the app: on arrival, when something is posted, when the network comes
 * back.
 */
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
