import { parseArgs } from 'node:util'

export type GatewayOptions = {
  readonly help: boolean
  /** What is sold, as `GATEWAY_ENDPOINTS` has it; without a payee the local seller is paid. */
  readonly sell: string
  /** The first port to try. */
  readonly port: number
  readonly json: boolean
}

export const gatewayUsage = `npm run gateway -- --sell '<path> <upstream> <price> [<payee>]'

Puts a price before an HTTP endpoint of this machine, on a Solana ledger of its own. Nothing is kept.

  --sell   what is sold: a path, the upstream, the price of a call in millionths of a USDC, a Solana address
  --port   the first port to try (4030)
  --json   say what is ready as JSON`

/** Throws Error with what is wrong. */
export function readGatewayOptions(words: readonly string[]): GatewayOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      help: { type: 'boolean', default: false },
      sell: { type: 'string', default: '' },
      port: { type: 'string', default: '4030' },
      json: { type: 'boolean', default: false },
    },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be a port')
  if (!values.help && values.sell === '') throw new Error(`say what is sold\n\n${gatewayUsage}`)
  return { help: values.help, sell: values.sell, port, json: values.json }
}
