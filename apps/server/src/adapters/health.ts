import type { FacilitatorClient } from './facilitator/facilitator-client.ts'
import type { ServedNetworks } from './networks.ts'

/** Whether what the service depends on answers. `chains` is by network name; a node of another chain counts as down. */
export type AdapterHealth = { readonly facilitator: boolean; readonly chains: Readonly<Record<string, boolean>> }

const timeoutMs = 2_000

export async function checkHealth(networks: ServedNetworks, facilitator: FacilitatorClient): Promise<AdapterHealth> {
  const [answer, ...chains] = await Promise.all([
    facilitator.get('/health', timeoutMs),
    ...networks.all.map(async ({ row, rpc, chainId }) => {
      const answers = await rpc.batch([{ method: 'eth_chainId', params: [] }], { timeoutMs }).catch(() => [])
      return [row.name, Number(answers[0]?.result) === chainId] as const
    }),
  ])
  return { facilitator: answer.kind === 'done', chains: Object.fromEntries(chains) }
}
