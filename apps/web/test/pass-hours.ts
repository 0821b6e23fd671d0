import { createClient } from '@ergon/sdk'
import type { Theatre } from './browser.ts'

/** So many hours pass for one task and for the payment it depends on, by the clock of the operator. */
export async function passHours({ constellation }: Theatre, taskId: string, hours: number): Promise<void> {
  const { adminKeys, facilitatorUrl = '', serverUrl = '' } = constellation.record()
  const operator = createClient({ baseUrl: serverUrl, adminKey: adminKeys.server })
  const { payment_hash: paymentHash } = await operator.payments.funding({ task_id: taskId })
  const answer = await fetch(`${facilitatorUrl}/admin/elapse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKeys.facilitator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ network: 'localnet', paymentHash, seconds: Math.ceil(hours * 3_600) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  await operator.admin.elapse({ task_id: taskId, hours, reason: 'Nobody waits in a test.' })
}
