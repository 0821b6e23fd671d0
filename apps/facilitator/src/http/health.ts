import type { NodesStanding } from '../chain/rpc-client.ts'
import type { GasOfDay } from '../gas/gas-budget.ts'
import type { ServedNetwork, SilentNetwork } from '../network/served-network.ts'
import { within } from '../settle/await-outcome.ts'
import type { SolanaStanding } from '../solana/network.ts'
import { reasonsOnSolana, solanaStanding } from '../solana/service-facts.ts'
import { remembered } from '../surroundings/remembered.ts'
import type { Context } from './context.ts'

/** How the chains are, from where this process looks. */
export type Standings = {
  readonly networks: readonly Standing[]
  readonly solana: SolanaStanding | undefined
  /** What an operator should look at: an alarm, and its network where it has one. */
  readonly reasons: readonly Reason[]
}
type Reason = readonly [alarm: string, network?: string]

/** Undefined: nothing is counted. */
export type Days = {
  readonly gas: GasOfDay | undefined
  readonly paymentGas: GasOfDay | undefined
  readonly sol: GasOfDay | undefined
}

/** Three counts in the database, for whoever asks: as old as this at most. */
const daysMs = 1_000

type AskDay = () => Promise<GasOfDay> | undefined
/** What is made of one of the three counts. */
type OfDay = (ask: AskDay) => Promise<GasOfDay | undefined> | undefined

/** What the budgets of this day say; `ofDay` decides what becomes of a store that cannot be asked. */
export function createDays(context: Context, ofDay: OfDay): () => Promise<Days> {
  return remembered(context.surroundings, daysMs, async () => {
    const [gas, paymentGas, sol] = await Promise.all([
      ofDay(() => context.gas?.today()),
      ofDay(() => context.paymentGas?.today()),
      ofDay(() => context.solana?.today()),
    ])
    return { gas, paymentGas, sol }
  })
}

/** A restart of the database, or a failover, is shorter. */
const silentMs = 8_000

function reasonsOfDatabase({ database }: Pick<Context, 'database'>): readonly Reason[] {
  if (database.silentMs() > silentMs) return [['database_silent']]
  return database.refusedMs() > silentMs ? [['connections_refused']] : []
}

/** Asks the nodes, none of them for longer than a second. */
export async function readStandings(context: Context): Promise<Standings> {
  const [solana, served] = await Promise.all([
    solanaStanding(context),
    Promise.all(context.networks.all.map((network) => standingOf(network, context))),
  ])
  const networks = [...served, ...context.networks.silent.map((network) => standingOfSilent(network, context))]
  return {
    networks,
    solana,
    reasons: [
      ...reasonsOfDatabase(context),
      ...networks.flatMap((standing) => reasonsOf(standing)),
      ...reasonsOnSolana(solana),
    ],
  }
}

/** What `/health` answers. */
export function createHealth(context: Context): () => Promise<object> {
  // A store that cannot be asked says nothing here.
  const days = createDays(context, (ask) => ask()?.catch(() => undefined))
  return async () => {
    const [{ gas, paymentGas, sol }, { networks, solana, reasons }] = await Promise.all([
      days(),
      readStandings(context),
    ])
    return {
      status: reasons.length === 0 ? 'healthy' : 'degraded',
      ...(reasons.length === 0 ? {} : { reasons: reasons.map((reason) => reason.join(':')) }),
      networks,
      ...(solana === undefined ? {} : { solana }),
      event_loop_delay_ms: context.loop.delayMs(),
      ...(gas === undefined ? {} : { gas }),
      ...(paymentGas === undefined ? {} : { payment_gas: paymentGas }),
      ...(sol === undefined ? {} : { sol }),
    }
  }
}

export type Standing = {
  readonly network: string
  readonly account: string
  /** Wei; null when the node does not tell. */
  readonly gas_balance: string | null
  readonly gas_low: boolean
  readonly nodes: NodesStanding | null
}

const patienceMs = 1_000

async function standingOf({ name, gasAccount, rpc }: ServedNetwork, context: Context): Promise<Standing> {
  const balance = await within(gasAccount.balance(), { ...context, settleWaitMs: patienceMs })
  return {
    network: name,
    account: gasAccount.address,
    gas_balance: balance?.toString() ?? null,
    gas_low: balance !== undefined && balance < context.gasAlarmBelow,
    nodes: rpc.standing?.() ?? null,
  }
}

/** Nothing is known of it, and nothing is settled on it. */
function standingOfSilent({ row, rpc }: SilentNetwork, { account }: Context): Standing {
  return { network: row.name, account, gas_balance: null, gas_low: false, nodes: rpc.standing?.() ?? null }
}

/** What an operator should look at, although it is answered. */
function reasonsOf({ network, gas_balance: balance, gas_low: isLow, nodes }: Standing): readonly Reason[] {
  return [
    ...(isLow ? [['gas_low', network] as const] : []),
    ...(balance === null ? [['node_silent', network] as const] : []),
    ...(nodes !== null && nodes.answering < nodes.all ? [['nodes_missing', network] as const] : []),
  ]
}
