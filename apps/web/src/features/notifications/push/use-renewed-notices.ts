import { useEffect } from 'react'
import { useMarket } from '../../../lib/market.tsx'
import { canShowNotices, idOfDevice } from './this-device.ts'

/** Once a page: a device that shows notices goes on showing them. */
export function useRenewedNotices(): void {
  const market = useMarket()
  useEffect(() => {
    if (idOfDevice() === null || !canShowNotices() || Notification.permission !== 'granted') return
    // What fails, because nobody answers or the browser does not want to, is tried with the next page.
    import('./renew.ts').then(({ renewNotices }) => renewNotices(market)).catch(() => undefined)
  }, [market])
}
