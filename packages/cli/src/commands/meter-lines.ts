import { ErgonError, type Client, type Output } from '@ergon/sdk'
import { columns } from '../help.ts'
import type { Session } from '../session.ts'

type Meter = Output<'meters.get'>

/** The meter of a task that is paid by the unit; null of any other. */
export async function meterOf(
  client: Client,
  { id: task_id, payment_network }: Pick<Output<'tasks.get'>, 'id' | 'payment_network'>,
): Promise<Meter | null> {
  if (payment_network !== 'solana') return null
  try {
    return await client.meters.get({ task_id })
  } catch (error) {
    if (error instanceof ErgonError && error.code === 'TASK_NOT_FOUND') return null
    throw error
  }
}

/** Tells each change of a meter until its channel is settled, or the command is stopped; answers the last reading. */
export async function followMeter(session: Session, task_id: string, now: Meter): Promise<Meter> {
  let meter = now
  for await (const reading of session.reader().watchMeter(task_id, { signal: session.stopped })) {
    meter = reading
    if (!session.manner.quiet) session.emit(session.manner.json ? JSON.stringify(reading) : shortLine(reading))
  }
  return meter
}

function shortLine({ unit, units_accepted, consumed_usd, remaining_usd, state }: Meter): string {
  const [charged, left] = [consumed_usd, remaining_usd].map((usd) => usd.toFixed(6))
  return `${unit} ${String(units_accepted)}  ${String(charged)} charged  ${String(left)} left  ${state}`
}

export function meterLines(meter: Meter): readonly string[] {
  const { unit, price_per_unit, rate_usd_per_sec, refund_usd } = meter
  return [
    `${String(meter.units_accepted)} ${unit}s at ${price_per_unit} (${meter.state})`,
    ...columns([
      ['charged', `${String(meter.consumed_usd)} USDC of ${String(meter.cap_usd)}`],
      ['to the worker', `${String(meter.worker_usd)} USDC`],
      ['fee', `${String(meter.fee_usd)} USDC`],
      ['can be lost', `${String(meter.remaining_usd)} USDC more`],
      ...(rate_usd_per_sec === null ? [] : [['a second', `${String(rate_usd_per_sec)} USDC`] as const]),
      ...(refund_usd === null ? [] : [['back', `${String(refund_usd)} USDC`] as const]),
    ]),
  ]
}
