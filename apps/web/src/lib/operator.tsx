import { useMemo, useSyncExternalStore } from 'react'
import type { OperationName } from '@ergon/contract'
import { createOperationsClient, type Input, type OperationsClient, type Output } from '@ergon/sdk'
import { useMutation, useQuery, useQueryClient, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import { adminKeyTurn, readAdminKey, watchAdminKey } from './admin-key.ts'
import { asChange, type Change } from './change.ts'

/** What was read with the key of the deployment; it is dropped as soon as nothing shows it. */
const operatorKey = 'operator'

/** Whether this tab holds a key. */
export function useAdminKey(): string | undefined {
  return useSyncExternalStore(watchAdminKey, readAdminKey)
}

function useOperator(): OperationsClient {
  const adminKey = useAdminKey()
  return useMemo(
    () => createOperationsClient({ baseUrl: location.origin, ...(adminKey === undefined ? {} : { adminKey }) }),
    [adminKey],
  )
}

type ReadOptions<T> = { readonly enabled?: boolean } & Pick<UseQueryOptions<T>, 'refetchInterval' | 'staleTime'>

/** As `useRead`, with the key of the deployment instead of a session. */
export function useOperatorRead<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: ReadOptions<Output<N>> = {},
): UseQueryResult<Output<N>> {
  return useOperatorQuery<Output<N>>(
    [name, input],
    // The arguments of a call are optional where every field of the input is; here the input is always given.
    async (operator, signal) =>
      (
        await (
          operator.call as (name: N, input: Input<N>, options: { signal: AbortSignal }) => Promise<{ data: Output<N> }>
        )(name, input, { signal })
      ).data,
    options,
  )
}

/** What `ask` answers with the key of the deployment; `of` tells it from all else that is read so. */
export function useOperatorQuery<T>(
  of: readonly [name: OperationName, input: unknown],
  ask: (operator: OperationsClient, signal: AbortSignal) => Promise<T>,
  options: ReadOptions<T>,
): UseQueryResult<T> {
  const operator = useOperator()
  const adminKey = useAdminKey()
  const turn = useSyncExternalStore(watchAdminKey, adminKeyTurn)
  return useQuery<T>({
    // A client reads the same as any other in a key, and the admin key itself belongs into none.
    queryKey: [operatorKey, turn, ...of],
    queryFn: ({ signal }) => ask(operator, signal),
    gcTime: 0,
    ...options,
    enabled: adminKey !== undefined && options.enabled !== false,
  })
}

/** As `useChange`; everything that was read with the key is asked again afterwards. */
export function useOperatorChange<N extends OperationName>(
  name: N,
  stale: readonly OperationName[] = [],
): Change<Input<N>, Output<N>> {
  const operator = useOperator()
  const queries = useQueryClient()
  const mutation = useMutation<Output<N>, Error, Input<N>>({
    mutationFn: async (input) =>
      (await (operator.call as (name: N, input: Input<N>) => Promise<{ data: Output<N> }>)(name, input)).data,
    onSettled: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: [operatorKey] }),
        ...stale.map((read) => queries.invalidateQueries({ queryKey: [read] })),
      ])
    },
  })
  return asChange(mutation)
}
