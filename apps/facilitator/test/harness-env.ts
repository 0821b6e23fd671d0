import { facilitator, service } from '../src/testing/payments.ts'

export const adminToken = 'the admin token of these tests, long enough'

export function facilitatorEnv(
  rpcUrl: string,
  databaseUrl: string,
  env: Record<string, string> = {},
): Record<string, string> {
  return {
    FACILITATOR_HOST: '127.0.0.1',
    FACILITATOR_PORT: '0',
    DATABASE_URL: databaseUrl,
    FACILITATOR_NETWORKS: 'localnet',
    FACILITATOR_RPC_LOCALNET: rpcUrl,
    FACILITATOR_KEY: facilitator.privateKey,
    FACILITATOR_ORDER_DELEGATES: service.address,
    FACILITATOR_ADMIN_TOKEN: adminToken,
    FACILITATOR_LOG_LEVEL: 'fatal',
    ...env,
  }
}

export async function rpc(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  // The node answers JSON-RPC.
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}
