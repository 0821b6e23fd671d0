import type { Operations, OutputOf } from '@ergon/contract'
import type { MoneyFindings, PaymentsHealth } from '@ergon/core'

type WireTrouble = NonNullable<OutputOf<Operations['service.healthPayments']>['by_network']>

/** What is open and what was found of each network that has any of it. */
export function presentTrouble(
  payments: PaymentsHealth['byNetwork'],
  findings: MoneyFindings['byNetwork'],
): WireTrouble {
  const networks = new Set([...payments, ...findings].map(({ network }) => network))
  return [...networks].toSorted().map((network) => {
    const open = payments.find((one) => one.network === network)
    const found = findings.filter((one) => one.network === network)
    return {
      network,
      in_flight: open?.inFlight ?? 0,
      in_doubt: open?.inDoubt ?? 0,
      oldest_seconds: open?.oldestSeconds ?? null,
      findings: found.reduce((sum, { count }) => sum + count, 0),
    }
  })
}
