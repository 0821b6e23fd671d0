import { localChainId, mintTestUsd } from '@ergon/contracts'
import { CliError, usageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { lowerAddress } from '@ergon/protocols'

export const faucet: Command = {
  words: ['faucet'],
  about: 'Test dollars on the local chain.',
  positionals: [{ name: 'usd', about: 'How many whole dollars; 100 when left out.', optional: true }],
  options: { rpc: { value: 'URL', about: 'The node of the local chain (ERGON_RPC_URL); http://127.0.0.1:8545 when nothing says otherwise.' } },
  async run(call, session) {
    const { address, rpc_url } = session.profile()
    const text = call.text('usd') ?? '100'
    if (!/^[1-9][0-9]{0,5}$/.test(text)) throw usageError('the amount must be whole dollars from 1 to 999999')
    const rpc = call.text('rpc') ?? session.env['ERGON_RPC_URL'] ?? rpc_url ?? 'http://127.0.0.1:8545'
    const { auth } = session.client()
    const { supported_chains } = await auth.signingPolicy()
    if (!Array.isArray(supported_chains) || !supported_chains.includes(localChainId)) throw new CliError('conflict', 'NOT_LOCAL', 'this service does not serve the local chain', 'Test dollars are for a service started with npm start.')
    await mintTestUsd(rpc, lowerAddress(address), BigInt(text) * 1_000_000n)
    return { data: { address, usd: Number(text), network: 'localnet' }, brief: text, lines: [`${text} test USDC for ${address}`] }
  },
}
