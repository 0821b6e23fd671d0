import { useState, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { priceMessages } from '../../components/metered/messages.ts'
import { Money } from '../../components/money.tsx'
import { Badge, Card, Facts, type Tone } from '../../components/surface.tsx'
import { Transaction } from '../../components/transaction.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { FundDialog } from './fund-dialog.tsx'
import { meteredMessages } from './messages.ts'
import { PayoutDialog } from './payout-dialog.tsx'
import { useMeter, type Meter } from './use-meter.ts'
import { VoucherDesk } from './voucher-desk.tsx'

export type MeteredPart = 'publisher' | 'worker' | 'reader'
/** A metered task, or a session as one. */
export type MeteredTask = Pick<Output<'tasks.get'>, 'id' | 'payment_network' | 'status' | 'executor_id'>
type Props = { readonly task: MeteredTask; readonly part: MeteredPart }

const tones: Readonly<Record<Meter['state'], Tone>> = {
  unbound: 'plain',
  open: 'good',
  closing: 'warn',
  settling: 'warn',
  settled: 'plain',
  expired: 'plain',
  errored: 'bad',
}

/** The live meter of a task, and what its two sides can do with the channel behind it. */
export function MeteredPanel({ task, part }: Props): ReactNode {
  const say = useMessages(meteredMessages)
  const meter = useMeter(task.id)
  if (meter === null || meter === undefined) return null
  const shown = part === 'worker' ? meter.worker_usd : meter.consumed_usd
  return (
    <section className="grid gap-3" aria-label={say('title')}>
      <h2 className="flex flex-wrap items-center gap-3">
        {say('title')} <Badge tone={tones[meter.state]}>{say(`state_${meter.state}`)}</Badge>
      </h2>
      <Card className="grid gap-4">
        <p className="grid gap-1" aria-live="off">
          <span className="text-quiet">{say(part === 'worker' ? 'earned' : 'charged')}</span>
          <Money usd={shown} look="hero" />
        </p>
        <progress className="meter-bar" max={1} value={meter.consumed_share} aria-label={say('charged')} />
        <div className="[&_dd]:text-right">
          <MeterFacts meter={meter} network={task.payment_network} />
        </div>
        {part === 'worker' && <p className="text-sm text-quiet">{say('earnedHelp')}</p>}
        {part === 'publisher' && meter.state === 'open' && <VoucherDesk meter={meter} />}
        <Acts task={task} part={part} meter={meter} />
      </Card>
    </section>
  )
}

function MeterFacts({ meter, network }: { readonly meter: Meter; readonly network: string }): ReactNode {
  const say = useMessages(meteredMessages)
  const sayPrice = useMessages(priceMessages)
  const format = useFormat()
  const unit = sayPrice(`unit_${meter.unit}`)
  const { rate_usd_per_sec: rate, refund_usd: refund, settlement_tx: tx } = meter
  return (
    <Facts
      rows={[
        [say('units'), say(`count_${meter.unit}`, { n: meter.units_accepted })],
        [say('price'), say('priceOf', { price: format.usd(Number(meter.price_per_unit)), unit })],
        [say('toWorker'), format.usd(meter.worker_usd)],
        [say('fee'), format.usd(meter.fee_usd)],
        ...(refund === null
          ? [[say('canBeLost'), format.usd(meter.remaining_usd)] as const]
          : [[say('back'), format.usd(refund)] as const]),
        ...(rate === null || meter.state !== 'open'
          ? []
          : [[say('timeLeft'), secondsSaid(meter.remaining_usd / rate)] as const]),
        ...(tx === null ? [] : [[say('settlement'), <Transaction key="tx" hash={tx} network={network} />] as const]),
      ]}
    />
  )
}

/** Hours, minutes and seconds, as a clock shows them. */
function secondsSaid(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const part = (value: number): string => String(value).padStart(2, '0')
  return `${String(Math.floor(whole / 3_600))}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`
}

function Acts({ task, part, meter }: Props & { readonly meter: Meter }): ReactNode {
  const say = useMessages(meteredMessages)
  const [open, setOpen] = useState<'fund' | 'payout' | 'close' | undefined>()
  const close = (): void => {
    setOpen(undefined)
  }
  const isGoing = task.status === 'accepted' || task.status === 'in_progress'
  if (part === 'reader') return null
  return (
    <div className="flex flex-wrap gap-3 empty:hidden">
      {meter.state === 'unbound' && isGoing && part === 'publisher' && (
        <Button
          kind="primary"
          onClick={() => {
            setOpen('fund')
          }}
        >
          {say('fund')}
        </Button>
      )}
      {meter.state === 'unbound' && isGoing && part === 'worker' && (
        <Button
          kind="primary"
          onClick={() => {
            setOpen('payout')
          }}
        >
          {say('payout')}
        </Button>
      )}
      {meter.state === 'open' && (
        <Button
          onClick={() => {
            setOpen('close')
          }}
        >
          {say(part === 'worker' ? 'close' : 'closeBack')}
        </Button>
      )}
      {open === 'fund' && <FundDialog task={task} onClose={close} />}
      {open === 'payout' && task.executor_id !== null && <PayoutDialog executorId={task.executor_id} onClose={close} />}
      {open === 'close' && <CloseDialog taskId={task.id} part={part} meter={meter} onClose={close} />}
    </div>
  )
}
