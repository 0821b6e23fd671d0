import type { OrderFate, SignedChannelOrder } from '@ergon/core'
import type { ChannelReading } from './channel-ledger.ts'

const pollMs = 300

/** Offers the bytes once; whatever goes wrong leaves open whether they arrived. */
export async function sendOrder({ ledger, onTrouble }: ChannelReading, { wire }: SignedChannelOrder): Promise<void> {
  await ledger.send(new Uint8Array(Buffer.from(wire, 'base64'))).catch((error: unknown) => {
    onTrouble('an order of a channel was not taken', error)
  })
}

/** Asks until there is a final word, or the wait is over. */
export async function orderFate(
  reading: ChannelReading,
  order: SignedChannelOrder,
  waitMs: number,
): Promise<OrderFate> {
  const { monotonic, delay } = reading.time
  const until = monotonic() + waitMs
  for (;;) {
    const fate = await fateNow(reading, order)
    if (fate.state !== 'unknown' || monotonic() + pollMs > until) return fate
    await delay(pollMs)
  }
}

async function fateNow({ ledger }: ChannelReading, order: SignedChannelOrder): Promise<OrderFate> {
  // The height is read first: what is unknown after the last block that could hold it is in none.
  const height = await ledger.blockHeight().catch(() => null)
  const status = await ledger.status(order.signature).catch(() => null)
  if (status === null) return { state: 'unknown' }
  if (status.kind === 'finalized')
    return status.error === null ? { state: 'landed', slot: status.slot } : { state: 'failed' }
  if (status.kind === 'unknown' && height !== null && height > order.lastValidHeight) return { state: 'expired' }
  return { state: 'unknown' }
}
