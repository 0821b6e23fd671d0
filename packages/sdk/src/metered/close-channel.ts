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
  await client.channels.close({ task_id })
  return settled(client, task_id, () => client.meters.get({ task_id }))
}

/**
 * Ends a session and resolves once accepted time is paid and the rest is back; one that nobody funded is over at once.
 *
 * @throws SettlementPending when it is still under way after the client's patience; the service carries on
 */
export async function stopSession(client: OperationsClient, session_id: string): Promise<Output<'streams.get'>> {
  await client.streams.stop({ session_id })
  return settled(client, session_id, () => client.streams.get({ session_id }))
}

/** Asks until nothing moves any more. */
async function settled<M extends Pick<Output<'meters.get'>, 'state'>>(
  { transport }: OperationsClient,
  taskId: string,
  read: () => Promise<M>,
): Promise<M> {
  const until = transport.now() + transport.patienceMs
  for (;;) {
    const meter = await read()
    // A session that was stopped before there was a channel has nothing to settle.
    if (meter.state === 'settled' || meter.state === 'unbound') return meter
    if (transport.now() > until)
      throw new SettlementPending({ taskId, subject: 'the end of the channel', idempotencyKey: undefined })
    await transport.wait(pollMs)
  }
}
