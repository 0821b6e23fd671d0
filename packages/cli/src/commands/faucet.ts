import { localChainId, mintTestUsd } from '@ergon/contracts'
import { CliError, usageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { nodeUrl } from '../node-url.ts'
import { lowerAddress } from '@ergon/protocols'

export const faucet: Command = {
  words: ['faucet'],
  about: 'Test dollars on the local chain.',
  positionals: [{ name: 'usd', about: 'How many whole dollars; 100 when left out.', optional: true }],
  options: {
    rpc: {
      value: 'URL',
      about: 'The node of the local chain (ERGON_RPC_URL); found by itself below the folder where npm start runs.',
    },
  },
  async run(call, session) {
    const { address } = session.profile()
    const text = call.text('usd') ?? '100'
    if (!/^[1-9][0-9]{0,5}$/.test(text)) throw usageError('the amount must be whole dollars from 1 to 999999')
    const rpc = nodeUrl(session, call.text('rpc'))
    const { auth } = session.client()
    const { supported_chains } = await auth.signingPolicy()
    if (!Array.isArray(supported_chains) || !supported_chains.includes(localChainId))
      throw new CliError(
        'conflict',
        'NOT_LOCAL',
        'this service does not serve the local chain',
        'Test dollars are for a service started with npm start.',
      )
    if (rpc === undefined)
      throw usageError(
        'the node of the local chain is not known',
        'Name the local chain that npm start prints: --rpc, or ERGON_RPC_URL.',
      )
    await mintTestUsd(rpc, lowerAddress(address), BigInt(text) * 1_000_000n).catch((cause: unknown) => {
      throw new CliError(
        'unavailable',
        'NODE_UNREACHABLE',
        `no test dollars from the node at ${rpc}: ${cause instanceof Error ? cause.message : String(cause)}`,
        'Name the local chain that npm start prints: --rpc, or ERGON_RPC_URL.',
        { cause },
      )
    })
    return {
      data: { address, usd: Number(text), network: 'localnet' },
      brief: text,
      lines: [`${text} test USDC for ${address}`],
    }
  },
}
