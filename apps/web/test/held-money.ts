import type { Stage } from './browser.ts'

/** What an account holds of the token of the local chain, in its smallest units, asked of the chain itself. */
export async function heldMoney({ constellation }: Pick<Stage, 'constellation'>, account: string): Promise<bigint> {
  const { rpcUrl, addresses } = constellation.record()
  // balanceOf(address)
  const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to: addresses['TestUSD'], data }, 'latest'],
    }),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('result' in answer) || typeof answer.result !== 'string')
    throw new Error(`the chain said ${JSON.stringify(answer)}`)
  return BigInt(answer.result)
}
