import { setTimeout as pause } from 'node:timers/promises'
import { queryDatabase } from '../testing/query-database.ts'
import type { Stage } from '../storm/stage/stage.ts'

type Answer = {
  readonly status: string
  readonly in_flight: number
  readonly in_doubt: number
  readonly ledger_balanced: boolean
  readonly findings: Readonly<Record<string, number>>
  readonly audited_at: string | null
}

/**
 * Has the service audit itself now, and answers what it says is wrong: the same comparison that runs once a minute,
 * brought forward.
 */
export async function auditNow(stage: Stage, until: number): Promise<readonly string[]> {
  const url = stage.database.url('ergon')
  const [row] = await queryDatabase(
    url,
    `with due as (update money_audit set due_at = '-infinity', sums_due_at = '-infinity'),
      books as (update escrows set audit_due_at = '-infinity' where audit_due_at < 'infinity')
      select clock_timestamp()::text as asked`,
  )
  const asked = String(row?.['asked'])
  // A process that begins has its first round at once.
  for (const [name, { process }] of stage.members) if (name.startsWith('server')) await process.kill()
  let wrong: readonly string[] = ['the audit was not reached']
  while (performance.now() < until) {
    const [ran] = await queryDatabase(url, 'select last_run > $1::timestamptz as ran from money_audit', [asked])
    if (ran?.['ran'] === true) {
      wrong = wrongIn(await healthOf(stage.url))
      if (wrong.length === 0) return wrong
    }
    await pause(500)
  }
  return wrong
}

async function healthOf(url: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/health/payments`, { signal: AbortSignal.timeout(5_000) })
    return (await response.json()) as Answer // as the contract of the operation says
  } catch {
    return undefined
  }
}

export function wrongIn(answer: Answer | undefined): readonly string[] {
  if (answer === undefined) return ['the service does not answer']
  const { in_flight, in_doubt, ledger_balanced, findings } = answer
  return [
    ...(ledger_balanced ? [] : ['the ledger does not balance']),
    ...(in_flight + in_doubt === 0 ? [] : [`${String(in_flight + in_doubt)} settlements are open`]),
    ...Object.entries(findings)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${String(count)} findings of the kind ${kind}`),
  ]
}
