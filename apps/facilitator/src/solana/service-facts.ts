import type { Context } from '../http/context.ts'
import type { Kind } from '../http/service-routes.ts'
import { within } from '../settle/await-outcome.ts'
import type { SolanaStanding } from './network.ts'

/** What is settled on Solana: `exact` under both names of the network, `split` under its CAIP-2 id. */
export function kindsOnSolana({ solana }: Pick<Context, 'solana'>): readonly Kind[] {
  if (solana === undefined) return []
  const { name, caip2, feePayer, mint, decimals } = solana.terms
  const extra = { feePayer, tokens: [{ token: 'USDC', address: mint, decimals }] }
  return [
    { x402Version: 1, scheme: 'exact', network: name, extra },
    { x402Version: 2, scheme: 'exact', network: caip2, extra },
    { x402Version: 2, scheme: 'split', network: caip2, extra },
  ]
}

export function signersOnSolana({ solana }: Pick<Context, 'solana'>): Readonly<Record<string, readonly string[]>> {
  return solana === undefined ? {} : { 'solana:*': [solana.terms.feePayer] }
}

const patienceMs = 1_000

export async function solanaStanding(context: Context): Promise<SolanaStanding | undefined> {
  const { solana } = context
  if (solana === undefined) return undefined
  const standing = await within(solana.standing(), { ...context, settleWaitMs: patienceMs })
  if (standing !== undefined) return standing
  const { name, feePayer } = solana.terms
  return {
    network: name,
    account: feePayer,
    sol_balance: null,
    sol_low: false,
    out_of_sol: false,
    nodes: { all: 0, answering: 0 },
    under_way: 0,
  }
}

/** What an operator should look at. */
export function reasonsOnSolana(
  standing: SolanaStanding | undefined,
): readonly (readonly [alarm: string, network: string])[] {
  if (standing === undefined) return []
  const { network, sol_balance: balance, sol_low: isLow, out_of_sol: isOut, nodes } = standing
  return [
    ...(isOut ? [['out_of_sol', network] as const] : isLow ? [['sol_low', network] as const] : []),
    ...(balance === null ? [['node_silent', network] as const] : []),
    ...(balance !== null && nodes.answering < nodes.all ? [['nodes_missing', network] as const] : []),
  ]
}
