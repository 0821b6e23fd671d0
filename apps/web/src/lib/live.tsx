import { useCallback, useEffect } from 'react'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { OperationName } from '@ergon/contract'
import { followLive, type LiveState } from './live-line.ts'
import { staleAfterAnything, staleAfterRoom } from './live-stale.ts'
import { answerKey, useMarket } from './market.tsx'

// Loaded when a session begins: a visitor hears nothing and pays for nothing.

/** Several events of one act come together, and are read together. */
const togetherMs = 100

type Live = { readonly state: LiveState; /** Counts the connections that were asked for. */ readonly tries: number }
const unknown: Live = { state: 'connecting', tries: 0 }
const liveKey = (wallet: string): readonly unknown[] => ['live', wallet]

/** Whether what happens is heard the moment it does, and the way to ask for it once more. */
export function useLive(wallet: string): Live & { readonly again: () => void } {
  const queries = useQueryClient()
  const { data = unknown } = useQuery<Live>({
    queryKey: liveKey(wallet),
    queryFn: () => unknown,
    enabled: false,
    initialData: unknown,
    gcTime: Infinity,
  })
  const again = useCallback(() => {
    tell(queries, wallet, ({ tries }) => ({ state: 'connecting', tries: tries + 1 }))
  }, [queries, wallet])
  return { ...data, again }
}

/** Keeps one line for the wallet that is signed in; once a page. What events make stale is asked again. */
export function useLiveLine(wallet: string): void {
  const market = useMarket()
  const queries = useQueryClient()
  const { tries } = useLive(wallet)
  useEffect(() => {
    const ending = new AbortController()
    const { add, end } = createStaleness(queries)
    void followLive({
      market,
      wallet,
      signal: ending.signal,
      onState(state) {
        if (ending.signal.aborted) return
        tell(queries, wallet, (live) => ({ ...live, state }))
        if (state === 'ended') void queries.invalidateQueries({ queryKey: answerKey('auth.readSession') })
      },
      onEvent: (name) => {
        add(staleAfterRoom(name))
      },
      onGap: () => {
        add(staleAfterAnything)
      },
    })
    return () => {
      ending.abort()
      end()
    }
  }, [market, queries, wallet, tries])
}

function tell(queries: QueryClient, wallet: string, change: (live: Live) => Live): void {
  queries.setQueryData<Live>(liveKey(wallet), (live = unknown) => change(live))
}

function createStaleness(queries: QueryClient): {
  readonly add: (reads: readonly OperationName[]) => void
  readonly end: () => void
} {
  const stale = new Set<OperationName>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    for (const read of stale) void queries.invalidateQueries({ queryKey: answerKey(read) })
    stale.clear()
  }
  return {
    add(reads) {
      for (const read of reads) stale.add(read)
      timer ??= setTimeout(flush, togetherMs)
    },
    end() {
      clearTimeout(timer)
      // What was heard is not forgotten with the line.
      if (timer !== undefined) flush()
    },
  }
}
