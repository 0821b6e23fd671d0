import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { columns } from '../help.ts'
import { nodeUrl } from '../node-url.ts'

export const taskFunding: Command = {
  words: ['task', 'funding'],
  about: 'Whether the bounty of a task is held for its worker, asked of a node and not of the service.',
  positionals: [{ name: 'task', about: 'Its id.' }],
  options: {
    rpc: { value: 'URL', about: 'A node of the network that you trust (ERGON_RPC_URL).' },
    worker: { value: 'WALLET', about: 'Whom the money should be for; with it, money for another wallet is a fault.' },
  },
  examples: ['ergon task funding 01890000-0000-7000-8000-000000000001 --rpc https://mainnet.base.org'],
  async run(call, session) {
    const rpc = nodeUrl(session, call.text('rpc'))
    if (rpc === undefined)
      throw new CliError(
        'usage',
        'NODE_MISSING',
        'a proof that the service gives of itself is none',
        'Name a node of the network: --rpc, or ERGON_RPC_URL.',
      )
    const worker = call.text('worker')
    const found = await session.reader().verifyFunding({
      task_id: call.need('task'),
      rpc_url: rpc,
      ...(worker === undefined ? {} : { worker_wallet: worker }),
    })
    const { funding, capturable, faults, held, signed } = found
    return {
      data: { ...found, capturable: capturable === null ? null : capturable.toString() },
      brief: held ? 'held' : funding.state,
      lines: [
        held
          ? `Held: the chain keeps ${String(funding.amount_usd)} ${funding.token} for ${funding.receiver ?? 'the worker'}`
          : `Not held: ${faults.join('; ')}`,
        ...columns([
          ['state', funding.state],
          ['until', found.bound_until ?? 'nothing is bound'],
          ['payment', found.payment_hash ?? 'none yet'],
          ...(funding.publisher_wallet === null
            ? []
            : [['wallet', `the publisher's holds ${funding.publisher_wallet.holds.replace('_', ' ')}`] as const]),
          ...(funding.next_action === null
            ? []
            : [['next', `${funding.next_action.who}: ${funding.next_action.what}`] as const]),
          ['statement', signed ? 'signed by a published key of the service' : 'not signed'],
        ]),
      ],
    }
  },
}
