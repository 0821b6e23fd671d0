import { oneIf, samplesBy, type HttpCounts, type Sample, type ToldOf } from '@ergon/process'
import { alarms, ownAlarms, type figures } from '../figures.ts'
import type { GasOfDay } from '../gas/gas-budget.ts'
import type { Context } from './context.ts'
import { createDays, readStandings, type Standings } from './health.ts'

type Figures = typeof figures

/** The figures of a service, from where `/health` has them too. */
export type Telling = {
  /** What process and nodes tell, within a second. */
  known(): Promise<ToldOf<Figures>>
  /** What the store tells; undefined where nothing is counted. @throws when it does not answer */
  readonly budgets: (() => Promise<ToldOf<Figures>>) | undefined
}

const wei = 1e18
const lamports = 1e9

export function createTelling(context: Context, counts: Pick<HttpCounts, 'told'>): Telling {
  const { gas, paymentGas, solana } = context
  const ofSolana = solana?.today()?.catch(() => undefined)
  const isCounted = gas !== undefined || paymentGas !== undefined || ofSolana !== undefined
  return {
    known: async () => ({
      ...ofChains(await readStandings(context)),
      ...ofOrders(context),
      ...counts.told(),
    }),
    budgets: isCounted ? createBudgets(context) : undefined,
  }
}

function ofChains({ networks, solana, reasons }: Standings): ToldOf<Figures> {
  const names = [...networks, ...(solana === undefined ? [] : [solana])].map(({ network }) => network)
  const isReason = (alarm: string, network?: string): boolean =>
    reasons.some(([one, where]) => one === alarm && where === network)
  const balances = [
    ...networks.map((one) => [one.network, one.gas_balance, wei] as const),
    ...(solana === undefined ? [] : [[solana.network, solana.sol_balance, lamports] as const]),
  ]
  const nodes = [
    ...networks.flatMap((one) => (one.nodes === null ? [] : [[one.network, one.nodes] as const])),
    ...(solana === undefined ? [] : [[solana.network, solana.nodes] as const]),
  ]
  return {
    ergon_alarm: [
      ...ownAlarms.map((alarm): Sample => ({ labels: { alarm }, value: oneIf(isReason(alarm)) })),
      ...names.flatMap((network) =>
        alarms.map((alarm): Sample => ({ labels: { alarm, network }, value: oneIf(isReason(alarm, network)) })),
      ),
    ],
    ergon_gas_balance: samplesBy(
      'network',
      balances.flatMap(([network, balance, unit]) =>
        balance === null ? [] : [[network, Number(balance) / unit] as const],
      ),
    ),
    ergon_nodes: samplesBy(
      'network',
      nodes.map(([network, { all }]) => [network, all]),
    ),
    ergon_nodes_answering: samplesBy(
      'network',
      nodes.map(([network, { answering }]) => [network, answering]),
    ),
  }
}

function ofOrders({ networks }: Context): ToldOf<Figures> {
  return {
    ergon_orders_waiting: samplesBy(
      'network',
      networks.all.map(({ name, pipeline }) => [name, pipeline.waiting()]),
    ),
    ergon_orders_under_way: samplesBy(
      'network',
      networks.all.map(({ name, tracker }) => [name, tracker.live()]),
    ),
  }
}

function createBudgets(context: Context): () => Promise<ToldOf<Figures>> {
  const days = createDays(context, (ask) => ask())
  return async () => {
    const { gas, paymentGas, sol } = await days()
    const budgets = Object.entries({ identity_gas: gas, payment_gas: paymentGas, solana_lamports: sol }).flatMap(
      ([name, day]): readonly (readonly [string, GasOfDay])[] => (day === undefined ? [] : [[name, day]]),
    )
    return {
      ergon_budget_used: samplesBy(
        'budget',
        budgets.map(([name, { spent }]) => [name, spent]),
      ),
      ergon_budget_limit: samplesBy(
        'budget',
        budgets.flatMap(([name, { limit }]) => (limit === null ? [] : [[name, limit] as const])),
      ),
    }
  }
}
