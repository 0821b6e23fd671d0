import { useParcels } from '../../components/outbox/outbox-keeper.tsx'
import { useSession } from '../../wallet/wallet.tsx'

/** Whether what was handed in for a task is still on this device; it goes out by itself. */
export function useWaits(taskId: string): boolean {
  const { wallet } = useSession()
  const { data: parcels } = useParcels(wallet ?? '')
  return parcels?.some((parcel) => parcel.taskId === taskId && parcel.state === 'waiting') === true
}
