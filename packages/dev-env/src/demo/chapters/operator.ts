import { createClient, type Client } from '@ergon/sdk'
import type { Telling } from './chapter.ts'

/** Who runs the service, with its key. */
export function operatorOf({ serverUrl, record }: Pick<Telling, 'serverUrl' | 'record'>): Client {
  return createClient({ baseUrl: serverUrl, adminKey: record.adminKeys.server })
}

/**
 * The operator's clock (decision 0172): so many hours pass for this task, and for the payment it depends on. Nothing
 * sleeps, and no other task is any older.
 */
export async function passHours(telling: Telling, taskId: string, hours: number, paymentHash?: string): Promise<void> {
  const { record } = telling
  if (paymentHash !== undefined) {
    const answer = await fetch(`${record.facilitatorUrl ?? ''}/admin/elapse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${record.adminKeys.facilitator}`, 'content-type': 'application/json' },
      body: JSON.stringify({ network: 'localnet', paymentHash, seconds: Math.ceil(hours * 3_600) }),
    })
    if (!answer.ok) throw new Error(`the facilitator moves no clock: ${await answer.text()}`)
  }
  await operatorOf(telling).admin.elapse({ task_id: taskId, hours, reason: 'A demo, for nobody waits here.' })
}
