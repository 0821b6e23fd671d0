import type { ServedNetwork } from '../network/served-network.ts'
import { Refusal } from '../errors.ts'
import { kindsOnSolana, signersOnSolana } from '../solana/service-facts.ts'
import { readList, readOpenRecord } from '../wire/read.ts'
import { readBody } from './body.ts'
import type { Context } from './context.ts'
import { ok } from './exchange.ts'
import { describeFailure } from './failure.ts'
import { createHealth } from './health.ts'
import type { Router } from './router.ts'

export const version = '2.0.0'

/** Endpoints that describe the service and touch nothing. */
export function addServiceRoutes(router: Router, context: Context): void {
  const startedAt = new Date(context.now() * 1000).toISOString()
  // What was silent at the start is offered once it is proven.
  const kinds = (): readonly Kind[] => [
    ...context.networks.all.flatMap((network) => kindsOf(network)),
    ...kindsOnSolana(context),
  ]
  const say = (path: string, answer: object): void => {
    router.on('GET', path, () => ok(answer))
  }
  const health = createHealth(context)
  router.on('GET', '/health', async () => ok(await health()))
  say('/version', { version })
  const signers = { 'eip155:*': [context.account], ...signersOnSolana(context) }
  router.on('GET', '/supported', () => ok({ kinds: kinds(), extensions: [], signers }))
  say('/blacklist', {
    total_blocked: context.blacklist.length,
    evm_count: context.blacklist.filter((entry) => entry.account_type !== 'solana').length,
    solana_count: context.blacklist.filter((entry) => entry.account_type === 'solana').length,
    entries: context.blacklist,
    source: context.blacklist.length === 0 ? 'none' : 'file',
    loaded_at_startup: startedAt,
  })
  const help = (endpoint: string, description: string, body: object): void => {
    say(endpoint, { endpoint, description, method: 'POST', body })
  }
  help('/verify', 'Says whether a payment would settle now.', {
    x402Version: 2,
    paymentPayload: {},
    paymentRequirements: {},
  })
  help('/settle', 'Puts a payment on chain. Escrow actions: authorize, release, refundInEscrow.', {
    x402Version: 2,
    scheme: 'exact | escrow',
    payload: {},
    paymentRequirements: {},
  })
  help('/register', 'Registers an agent (ERC-8004) and hands it to its recipient; gas is paid here.', {
    x402Version: 1,
    network: '',
    agentUri: '',
    metadata: [],
    recipient: '',
  })
  help('/feedback', 'Writes a rating (ERC-8004); gas is paid here.', { x402Version: 1, network: '', feedback: {} })
  router.on('POST', '/accepts', ({ request }) => {
    try {
      return ok(acceptsOf(readBody(request).value, kinds()))
    } catch (error) {
      const { status, headers, text } = describeFailure(error, context)
      return { status, headers, body: { x402Version: 2, accepts: [], error: text } }
    }
  })
}

export type Kind = {
  readonly x402Version: 1 | 2
  readonly scheme: string
  readonly network: string
  readonly extra: Readonly<Record<string, unknown>>
}

/** Each network under its short name (v1) and CAIP-2 (v2); escrow under CAIP-2 alone (facts §2.4). */
function kindsOf(network: ServedNetwork): Kind[] {
  const tokens = [...network.tokens].map(([token, { symbol, decimals, domain }]) => ({
    token: symbol,
    address: token,
    decimals,
    name: domain.name,
    version: domain.version,
  }))
  const { escrow } = network
  const exact: Kind[] = [
    { x402Version: 1, scheme: 'exact', network: network.name, extra: { tokens } },
    { x402Version: 2, scheme: 'exact', network: network.caip2, extra: { tokens } },
  ]
  if (escrow === undefined) return exact
  const extra = {
    tokens,
    escrowAddress: escrow.escrow,
    operatorAddress: escrow.operator,
    tokenCollector: escrow.collector,
    feeReceiver: escrow.operator,
    minFeeBps: 0,
    maxFeeBps: 1300,
  }
  return [
    ...exact,
    ...(['escrow', 'commerce'] as const).map((scheme): Kind => ({
      x402Version: 2,
      scheme,
      network: network.caip2,
      extra,
    })),
  ]
}

/** The requirements this service can settle, with what it knows filled in and nothing overwritten. */
function acceptsOf(value: unknown, kinds: readonly Kind[]): object {
  const body = readOpenRecord(value, 'body')
  const given = body['accepts'] ?? body['paymentRequirements']
  if (!Array.isArray(given)) throw new Refusal('invalid_payload', "Missing or invalid 'accepts' array")
  const accepts = readList(given, 'accepts', 64).flatMap((entry) => {
    const requirement = readOpenRecord(entry, 'accepts[]')
    const kind = kinds.find((one) => one.scheme === requirement['scheme'] && one.network === requirement['network'])
    if (kind === undefined) return []
    const own = requirement['extra'] === undefined ? {} : readOpenRecord(requirement['extra'], 'accepts[].extra')
    return [{ ...requirement, extra: { ...kind.extra, ...own } }]
  })
  return { x402Version: body['x402Version'] === 1 ? 1 : 2, accepts, error: '' }
}
