import { useEffect, useState } from 'react'
import { ErgonError, watchMeter, type Output } from '@ergon/sdk'
import { useMarket } from '../../lib/market.tsx'

export type Meter = Output<'meters.get'>

/** The meter of a task as it is and at each change; null for a task without one, undefined until it is known. */
export function useMeter(taskId: string): Meter | null | undefined {
  const market = useMarket()
  const [meter, setMeter] = useState<Meter | null>()
  useEffect(() => {
    const stop = new AbortController()
    const watch = async (): Promise<void> => {
      for await (const reading of watchMeter(market, taskId, { signal: stop.signal })) {
        if (stop.signal.aborted) return
        setMeter(reading)
      }
    }
    watch().catch((error: unknown) => {
      if (!stop.signal.aborted && error instanceof ErgonError) setMeter((known) => known ?? null)
    })
    return () => {
      stop.abort()
    }
  }, [market, taskId])
  return meter
}
