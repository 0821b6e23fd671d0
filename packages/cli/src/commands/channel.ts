import type { Output } from '@ergon/sdk'
import { checkInput } from '../check-input.ts'
import type { Command, Positional } from '../command.ts'
import { given } from '../given.ts'
import { columns } from '../help.ts'
import { keyOption, makeKey, solanaKey } from '../solana-key.ts'
import { buyersVoucher } from './buyers-voucher.ts'
import { followMeter, meterLines } from './meter-lines.ts'
import { accepted, shownBy, tickOptions } from './tick-call.ts'

const task: Positional = { name: 'task', about: 'The id of the task.' }

export const channelKey: Command = {
  words: ['channel', 'key'],
  about: 'Make a key on Solana in a file of its own, or tell the address of the one that is there.',
  positionals: [{ name: 'file', about: 'Where it is kept; an existing file is left alone.' }],
  async run(call) {
    const file = call.need('file')
    const { address, isNew } = makeKey(file)
    const line = `${address} in ${file}${isNew ? '' : ', which was there already'}`
    return Promise.resolve({ data: { address, file }, brief: address, lines: [line] })
  },
}

export const workerPayout: Command = {
  words: ['worker', 'payout'],
  about: 'Be paid at a Solana address; its key proves it.',
  options: { key: keyOption },
  async run(call, session) {
    const client = session.client()
    const signer = solanaKey(call, session)
    const { id: executor_id } = await client.workers.register({})
    const bound = await client.bindPayoutAddress({ executor_id, signer })
    return {
      data: bound,
      brief: bound.solana_payout_address,
      lines: [`Paid at ${bound.solana_payout_address}`],
    }
  },
}

export const channelOpen: Command = {
  words: ['channel', 'open'],
  about: 'Open a channel for a metered task of yours by one signature, and fund the task by it.',
  positionals: [task],
  options: {
    key: keyOption,
    worker: { value: 'ADDRESS', about: 'The Solana address of the worker; asked of the service when left out.' },
    deposit: { value: 'USD', about: 'What is put in, the most you can lose; the cap of the task when left out.' },
    sign: { about: 'Sign a voucher for each unit yourself, by this key; else the service signs what it accepts.' },
    mint: { value: 'ADDRESS', about: 'The token, where it is not the USDC of the main network.' },
  },
  async run(call, session) {
    const client = session.client()
    const payer = solanaKey(call, session)
    const [task_id, deposit_usd, mint] = [call.need('task'), call.text('deposit'), call.text('mint')]
    const { cap_usd, price_per_unit, unit } = await client.meters.get({ task_id })
    const worker = call.text('worker') ?? (await workerOf(session.client(), task_id, payer.address))
    const most = deposit_usd ?? String(cap_usd)
    await session.confirm(`Put ${most} USDC into a channel that pays ${worker} ${price_per_unit} a ${unit}?`)
    session.progress('signing and opening')
    const channel = await client.openChannel({
      task_id,
      payer,
      worker,
      ...(deposit_usd === undefined ? {} : { deposit_usd }),
      ...(mint === undefined ? {} : { mint }),
      ...(call.is('sign') ? { authorized_signer: payer.address } : {}),
    })
    return { data: channel, brief: channel.channel_id, lines: linesOf('Opened', channel) }
  },
}

/** What the service says about the worker; the transaction is held against it. */
async function workerOf(
  client: ReturnType<Parameters<Command['run']>[1]['client']>,
  task_id: string,
  payer: string,
): Promise<string> {
  return (await client.channels.offer({ task_id, payer })).worker
}

export const channelBind: Command = {
  words: ['channel', 'bind'],
  about: 'Fund a metered task of yours by a channel that is open already.',
  positionals: [task, { name: 'channel', about: 'Its address.' }],
  options: { key: keyOption },
  async run(call, session) {
    const payer = solanaKey(call, session)
    const fields = { task_id: call.need('task'), channel_id: call.need('channel'), payer }
    const channel = await session.client().bindChannel(fields)
    return { data: channel, brief: channel.channel_id, lines: linesOf('Bound', channel) }
  },
}

/** Two names of one thing: whoever counts scans says scan. */
const tickNamed = (word: 'tick' | 'scan', about: string): Command => ({
  words: [word],
  about,
  positionals: [task],
  options: tickOptions,
  examples: [`ergon ${word} $TASK --evidence boat=AT-4711`],
  async run(call, session) {
    const shown = shownBy(call)
    const input = checkInput('channels.tick', given({ task_id: call.need('task'), ...shown }))
    const client = session.client()
    const voucher = await buyersVoucher(call, session, { client, task_id: input.task_id })
    const { data, replayed } = await client.call('channels.tick', {
      ...input,
      client_ref: call.text('ref') ?? crypto.randomUUID(),
      ...(voucher === undefined ? {} : { voucher }),
    })
    return accepted(data.data, replayed)
  },
})
export const tick = tickNamed('tick', 'Hand in one unit of metered work; what is refused costs nothing.')
export const scan = tickNamed('scan', 'The same as tick.')

export const channelMeter: Command = {
  words: ['channel', 'meter'],
  about: 'What a metered task has consumed, and what may still be spent.',
  positionals: [task],
  options: { watch: { about: 'Stay and tell each change until the channel is settled.' } },
  async run(call, session) {
    const client = session.reader()
    const task_id = call.need('task')
    let meter = await client.meters.get({ task_id })
    if (call.is('watch')) meter = await followMeter(session, task_id, meter)
    return { data: meter, brief: String(meter.consumed_usd), lines: call.is('watch') ? [] : meterLines(meter) }
  },
}

export const channelClose: Command = {
  words: ['channel', 'close'],
  about: 'End the pay of a metered task: accepted work is paid, the rest goes back.',
  positionals: [task],
  async run(call, session) {
    const task_id = call.need('task')
    await session.confirm('End the pay of this task?')
    session.progress('closing and paying out')
    const meter = await session.client().closeChannel({ task_id })
    return {
      data: meter,
      brief: meter.settlement_tx ?? meter.state,
      lines: [
        `Closed: ${String(meter.worker_usd)} to the worker, ${String(meter.fee_usd)} fee, ` +
          `${String(meter.refund_usd ?? 0)} back, ${meter.settlement_tx ?? ''}`,
      ],
    }
  },
}

function linesOf(done: string, { channel_id, deposit_usd, cap_usd }: Output<'channels.open'>): readonly string[] {
  return [
    `${done} ${channel_id}`,
    ...columns([
      ['holds', `${String(deposit_usd)} USDC`],
      ['can be lost', `${String(cap_usd)} USDC, and only for accepted work`],
    ]),
  ]
}
