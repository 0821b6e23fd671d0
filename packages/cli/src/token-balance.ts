import { balanceOfCalldata } from '@ergon/protocols'
import { CliError } from './cli-error.ts'

/** What an account holds of a token, in atomic units, asked of a node. */
export async function tokenBalance(rpcUrl: string, token: string, account: string): Promise<bigint> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: [{ to: token, data: balanceOfCalldata(account) }, 'latest'],
  })
  const answer: unknown = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(10_000),
  })
    .then((response) => response.json())
    .catch((cause: unknown) => {
      throw new CliError(
        'unavailable',
        'NODE_UNREACHABLE',
        `the node at ${rpcUrl} does not answer`,
        'Name a node of the network: --rpc, or ERGON_RPC_URL.',
        { cause },
      )
    })
  const result = typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined
  if (typeof result !== 'string' || !/^0x[0-9a-f]+$/i.test(result))
    throw new CliError(
      'unavailable',
      'NODE_UNREACHABLE',
      'the node did not say what the account holds',
      'Check that --rpc is a node of the network.',
    )
  return BigInt(result)
}
