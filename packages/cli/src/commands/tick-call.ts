import type { Output } from '@ergon/sdk'
import type { Call, OptionSpec } from '../command.ts'
import { readEvidence } from '../evidence.ts'
import { signOptions } from './buyers-voucher.ts'

/** What a unit of work takes in a terminal, of a task and of a session. */
export const tickOptions: Readonly<Record<'evidence' | 'note' | 'ref' | keyof typeof signOptions, OptionSpec>> = {
  evidence: { value: 'NAME=VALUE', about: 'What shows it, as JSON or text.', many: true },
  note: { value: 'TEXT', about: 'A word about it.' },
  ref: { value: 'NAME', about: 'A name for this unit: under the same one it is counted once.' },
  ...signOptions,
}

/** What shows the unit, and a word about it. */
export function shownBy(call: Call): {
  readonly evidence: Readonly<Record<string, unknown>>
  readonly note: string | undefined
} {
  const pieces = readEvidence({ photo: undefined, gps: undefined, text: undefined, others: call.list('evidence') })
  return { evidence: Object.fromEntries(pieces.map(({ type, value }) => [type, value])), note: call.text('note') }
}

/** What is printed about a unit that was accepted. */
export function accepted(tick: Output<'channels.tick'>['data'], replayed: boolean) {
  const { voucher_index, amount_uusdc, remaining_uusdc } = tick
  return {
    data: tick,
    brief: String(voucher_index),
    lines: [
      `${replayed ? 'Accepted before' : 'Accepted'}: number ${String(voucher_index)}, ${usd(amount_uusdc)} USDC; ` +
        `${usd(remaining_uusdc)} left`,
    ],
  }
}

const usd = (micro: number): string => (micro / 1e6).toFixed(6)
