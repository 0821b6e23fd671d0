import { createContext, use, useRef, type ReactNode } from 'react'
import type { OperationName } from '@ergon/contract'
import { createOperationsClient, type Input, type OperationsClient, type Output } from '@ergon/sdk'
import { useMutation, useQuery, useQueryClient, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import { asChange, type Change, type Finding } from './change.ts'
import { hearingFetch } from './clock.ts'
import { learnLost } from './lost-answer.ts'
import { useGoingOn } from './signing-in-again.tsx'
import { noteCall, unsureKey } from './unsure-call.ts'

const MarketContext = createContext<OperationsClient | undefined>(undefined)

/** The service this page came from, asked as the person who is signed in. What needs a wallet is in features/wallet. */
export function createMarket(origin: string): OperationsClient {
  return createOperationsClient({ baseUrl: origin, session: true, fetch: hearingFetch })
}

export function MarketProvider({
  market,
  children,
}: {
  readonly market: OperationsClient
  readonly children: ReactNode
}): ReactNode {
  return <MarketContext value={market}>{children}</MarketContext>
}

export function useMarket(): OperationsClient {
  const market = use(MarketContext)
  if (market === undefined) throw new Error('there is no MarketProvider above')
  return market
}

/** The key under which an answer is kept; everything of one operation shares its beginning. */
export function answerKey<N extends OperationName>(name: N, input?: Input<N>): readonly unknown[] {
  return input === undefined ? [name] : [name, input]
}

type ReadOptions<T> = Pick<UseQueryOptions<T>, 'enabled' | 'refetchInterval' | 'staleTime' | 'placeholderData'>

/** Reads one operation: its answer, and whether it is still on its way. */
export function useRead<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: ReadOptions<Output<N>> = {},
): UseQueryResult<Output<N>> {
  const market = useMarket()
  return useQuery<Output<N>>({
    queryKey: answerKey(name, input),
    // The arguments of a call are optional where every field of the input is; here the input is always given.
    queryFn: async ({ signal }) =>
      (
        await (
          market.call as (name: N, input: Input<N>, options: { signal: AbortSignal }) => Promise<{ data: Output<N> }>
        )(name, input, { signal })
      ).data,
    ...options,
  })
}

/** Finds out what became of a lost call; where it was made, what the named reads answered is asked again. */
export function useFinding<Input>(stale: readonly OperationName[], then?: (input: Input) => void): Finding<Input> {
  const market = useMarket()
  const queries = useQueryClient()
  const calls = useRef(0)
  return {
    calls,
    learn: async (error, input) => {
      const learned = await learnLost(market, error)
      if (learned === undefined) return undefined
      then?.(input)
      await Promise.all(stale.map((read) => queries.invalidateQueries({ queryKey: answerKey(read) })))
      return learned
    },
  }
}

/**
 * Calls one operation that changes something, after signing in again where the session is over; afterwards, what the
 * named reads answered is asked again.
 */
export function useChange<N extends OperationName>(
  name: N,
  stale: readonly OperationName[] = [],
): Change<Input<N>, Output<N>> {
  const market = useMarket()
  const queries = useQueryClient()
  const goingOn = useGoingOn()
  const finding = useFinding<Input<N>>(stale, (input) => {
    noteCall(name, input)
  })
  const mutation = useMutation<Output<N>, Error, Input<N>>({
    mutationFn: async (input) => {
      const key = unsureKey(name, input)
      const keyed = key === undefined ? input : { ...input, idempotency_key: key }
      try {
        const { data } = await goingOn(() =>
          (market.call as (name: N, input: Input<N>) => Promise<{ data: Output<N> }>)(name, keyed),
        )
        noteCall(name, input)
        return data
      } catch (error) {
        noteCall(name, input, error)
        throw error
      }
    },
    onSettled: async () => {
      await Promise.all(stale.map((read) => queries.invalidateQueries({ queryKey: answerKey(read) })))
    },
  })
  return asChange(mutation, finding)
}
