import { SettlementPending } from '../ergon-error.ts'
import type { OperationsClient, Output } from '../client.ts'

const pollMs = 500

/**
 * Ends the pay of a metered task and resolves once its ledger has paid out: what was accepted to the worker, the rest
 * to the payer.
 *
 * @throws SettlementPending when it is still under way after the client's patience; the service carries on
 */
export async function closeChannel(client: OperationsClient, task_id: string): Promise<Output<'meters.get'>> {
  const { transport } = client
  await client.channels.close({ task_id })
  const until = transport.now() + transport.patienceMs
  for (;;) {
    const meter = await client.meters.get({ task_id })
    if (meter.state === 'settled') return meter
    if (transport.now() > until)
      throw new SettlementPending({ taskId: task_id, subject: 'the end of the channel', idempotencyKey: undefined })
    await transport.wait(pollMs)
  }
}
