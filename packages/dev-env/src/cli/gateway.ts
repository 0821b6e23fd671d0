import { once } from 'node:events'
import { gatewayUsage, readGatewayOptions } from '../gateway/gateway-options.ts'
import { startLocalGateway, type LocalGateway } from '../gateway/local-gateway.ts'

/** Ends with 0 when it was asked to stop, 1 when it could not start or the gateway died. */
async function main(): Promise<number> {
  const options = readGatewayOptions(process.argv.slice(2))
  if (options.help) {
    console.log(gatewayUsage)
    return 0
  }
  const isAskedToStop = Promise.race((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal)))
  await using gateway = await startLocalGateway(options)
  console.log(options.json ? jsonOf(gateway) : screenOf(gateway, options.sell))
  return await Promise.race([isAskedToStop.then(() => 0), gateway.ended.then(() => 1)])
}

function jsonOf({ url, rpcUrl, mint, seller, buyerSeed }: LocalGateway): string {
  return JSON.stringify({ ready: true, url, rpc_url: rpcUrl, mint, seller, buyer_seed: buyerSeed })
}

function screenOf({ url, rpcUrl, mint, seller, buyerSeed }: LocalGateway, sell: string): string {
  return [
    '  A price is before your endpoint. Everything here is local, and its keys are worth nothing elsewhere.',
    '',
    `  gateway     ${url}${sell.trim().split(/\s+/)[0] ?? ''}`,
    `  ledger      ${rpcUrl}`,
    `  token       ${mint}`,
    `  seller      ${seller}`,
    `  buyer seed  ${buyerSeed}`,
  ].join('\n')
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`  ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  },
)
