import type { Output } from '@ergon/sdk'
import { checkInput } from '../check-input.ts'
import type { Command, Positional } from '../command.ts'
import { given } from '../given.ts'
import { columns } from '../help.ts'
import { pageFields, pageLines, pageOptions } from '../list-page.ts'
import { buyersVoucher } from './buyers-voucher.ts'
import { followMeter, meterLines } from './meter-lines.ts'
import { accepted, shownBy, tickOptions } from './tick-call.ts'

const one: Positional = { name: 'session', about: 'The id of the session.' }

export const sessionStart: Command = {
  words: ['session', 'start'],
  about: "Begin a session: a worker's time, paid as it passes. Fund it by ergon channel open with its id.",
  positionals: [{ name: 'worker', about: 'The executor id of the worker.' }],
  options: {
    unit: { value: 'UNIT', about: 'What is paid for; minute when left out.', among: ['second', 'minute', 'hour'] },
    price: { value: 'USD', about: 'The price of one unit.' },
    cap: { value: 'USD', about: 'The most it can cost.' },
    hours: { value: 'N', about: 'So long it may last.' },
    note: { value: 'TEXT', about: 'What it is about; public.' },
  },
  examples: ['SESSION=$(ergon session start $WORKER --price 0.05 --cap 3 --quiet)'],
  async run(call, session) {
    const input = checkInput(
      'streams.start',
      given({
        executor_id: call.need('worker'),
        unit: call.text('unit'),
        price_per_unit: call.need('price'),
        cap_usd: call.need('cap'),
        hours: call.number('hours'),
        note: call.text('note'),
      }),
    )
    const begun = await session.client().streams.start(input)
    const most = `${String(begun.cap_usd)} USDC at most, until ${begun.ends_at}`
    return { data: begun, brief: begun.session_id, lines: [`Began ${begun.session_id}: ${most}`] }
  },
}

export const sessionList: Command = {
  words: ['session', 'list'],
  about: 'Sessions that you pay, or with --earning those that you are paid by.',
  options: { earning: { about: 'Those in which you work.' }, ...pageOptions },
  async run(call, session) {
    const role = call.is('earning') ? 'worker' : 'buyer'
    const page = await session.client().streams.list(checkInput('streams.list', { role, ...pageFields(call) }))
    return {
      data: page,
      brief: page.sessions.map(({ session_id }) => session_id).join('\n'),
      lines: pageLines(columns(page.sessions.map(rowOf)), page, 'No session.'),
    }
  },
}

export const sessionShow: Command = {
  words: ['session', 'show'],
  about: 'What a session has consumed, and what may still be spent.',
  positionals: [one],
  options: { watch: { about: 'Stay and tell each change until it is paid out.' } },
  async run(call, session) {
    const session_id = call.need('session')
    const found = await session.reader().streams.get({ session_id })
    const isWatched = call.is('watch') && !found.is_over
    const meter = isWatched ? await followMeter(session, session_id, found) : found
    return { data: meter, brief: String(meter.consumed_usd), lines: isWatched ? [] : meterLines(meter) }
  },
}

export const sessionTick: Command = {
  words: ['session', 'tick'],
  about: 'Have the time since the last tick paid, one unit at most; what is refused costs nothing.',
  positionals: [one],
  options: tickOptions,
  async run(call, session) {
    const shown = shownBy(call)
    const input = checkInput('streams.tick', given({ session_id: call.need('session'), ...shown }))
    const client = session.client()
    const voucher = await buyersVoucher(call, session, { client, task_id: input.session_id })
    const { data, replayed } = await client.call('streams.tick', {
      ...input,
      client_ref: call.text('ref') ?? crypto.randomUUID(),
      ...(voucher === undefined ? {} : { voucher }),
    })
    return accepted(data.data, replayed)
  },
}

export const sessionStop: Command = {
  words: ['session', 'stop'],
  about: 'End a session, from either side: accepted time is paid, the rest goes back.',
  positionals: [one],
  async run(call, session) {
    const session_id = call.need('session')
    await session.confirm('End this session?')
    session.progress('stopping and paying out')
    const over = await session.client().stopSession({ session_id })
    const paid = `${String(over.worker_usd)} to the worker, ${String(over.fee_usd)} fee`
    return {
      data: over,
      brief: over.settlement_tx ?? over.state,
      lines: [`Stopped: ${paid}, ${String(over.refund_usd ?? 0)} back, ${over.settlement_tx ?? 'no payment'}`],
    }
  },
}

type Listed = Output<'streams.list'>['sessions'][number]

function rowOf({ session_id, state, consumed_usd, cap_usd, is_over, note }: Listed): readonly [string, string] {
  const spent = `${String(consumed_usd)} of ${String(cap_usd)} USDC`
  return [session_id, `${is_over ? 'over' : state}  ${spent}${note === null ? '' : `  ${note}`}`]
}
