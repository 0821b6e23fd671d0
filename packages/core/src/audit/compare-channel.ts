import type { Channel } from '../channels/channel.ts'
import { payoutOf } from '../channels/payout.ts'
import { stuckAfterMs } from './compare-escrow.ts'
import type { Finding } from './finding.ts'

/** What a ledger shows of a channel, as far as it is compared. */
export type ShownChannel = {
  readonly state: 'open' | 'closing' | 'sealed' | 'distributed' | 'gone'
  readonly deposit: bigint
  readonly settled: bigint
}

/** Where the books and the ledger differ about one channel. `held`: what the books say is in it. */
export function compareChannel(channel: Channel, held: bigint, shown: ShownChannel, now: Date): readonly Finding[] {
  const due = channel.end === null ? channel.deposit - paidOut(channel.paid) : 0n
  const faults: readonly Fault[] = [
    ...(held === due ? [] : [[held - due, `the books hold ${String(held)} of it`] as const]),
    ...(channel.end === null ? openFaults(channel, shown) : endedFaults(channel, shown)),
  ]
  const [first] = faults
  return [
    ...(first === undefined
      ? []
      : [finding(channel, 'mismatch', first[0], faults.map(([, detail]) => detail).join('; '))]),
    ...(isStuck(channel, now) ? [waiting(channel)] : []),
  ]
}

function paidOut(paid: Channel['paid']): bigint {
  if (paid === null) return 0n
  const { worker, fee } = payoutOf({ settled: paid.settled, deposit: paid.settled })
  return worker + fee
}

function waiting(channel: Channel): Finding {
  if (channel.paid === null) return finding(channel, 'stuck', channel.cumulative, 'its end waits for the ledger')
  const rest = channel.deposit - channel.paid.settled
  return finding(channel, 'stuck', rest, 'its worker is paid; its payer has no token account for the rest')
}

/** By how much, and what. */
type Fault = readonly [bigint, string]

function openFaults(channel: Channel, { state, deposit, settled }: ShownChannel): readonly Fault[] {
  // What was ended past us is carried on by its closing; nothing can be compared any more.
  if (state === 'distributed' || state === 'gone') return []
  return [
    ...(deposit >= channel.deposit ? [] : [[channel.deposit - deposit, 'the ledger has a smaller deposit'] as const]),
    ...(settled <= channel.cumulative
      ? []
      : [[settled - channel.cumulative, 'more is settled than we accepted'] as const]),
  ]
}

function endedFaults({ end }: Channel, { state, settled }: ShownChannel): readonly Fault[] {
  if (state === 'gone') return []
  const booked = end?.settled ?? 0n
  if (state !== 'distributed') return [[booked, `paid out by the books, ${state} on the ledger`]]
  return settled === booked ? [] : [[settled - booked, 'the ledger has settled otherwise']]
}

function isStuck({ status, closing }: Channel, now: Date): boolean {
  return status === 'closing' && closing !== null && now.getTime() - closing.at.getTime() > stuckAfterMs
}

function finding({ id, taskId, asset }: Channel, kind: Finding['kind'], atomic: bigint, detail: string): Finding {
  return { kind, subject: `channel:${id}`, taskId, settlementId: null, network: asset.network, asset, atomic, detail }
}
