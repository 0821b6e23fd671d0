import type { ReactNode } from 'react'
import { PersonChip } from '../../components/person.tsx'
import { useOperatorRead } from '../../lib/operator.tsx'

/** A wallet by the face and name of whoever registered with it; the short address where nobody did. */
export function KnownPerson({ wallet }: { readonly wallet: string }): ReactNode {
  const { data } = useOperatorRead('admin.workers', { search: wallet, limit: 1 }, { staleTime: 60_000 })
  // What is shown beside a wallet is its own, whatever else a search finds.
  const worker = data?.workers.find((one) => one.wallet_address === wallet)?.worker
  return (
    <span className="flex min-w-0">
      <PersonChip address={wallet} party={worker?.executor_type} name={worker?.display_name} />
    </span>
  )
}
