import { localRoles } from '@ergon/contracts'
import { codeOf } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress, newCaller } from '../caller.ts'
import { startMeter } from '../costs.ts'
import { countedGas } from '../counted-gas.ts'
import { aTask } from '../market.ts'
import type { Target } from '../target.ts'
import { inWaves } from '../waves.ts'

const empty = 200
/** SVC_REGISTER_PER_ADDRESS of a deployment that says nothing else. */
const perAddress = 60
const beyond = 20
/** Mint and transfer. */
const transactionsEach = 2

/** Fresh wallets that make the operator pay for their identities. */
export const gasIdentities: AttackClass = {
  name: 'gas by fresh wallets',
  on: 'any',
  held: 'minted last; SVC_REGISTER_PER_ADDRESS and SVC_REGISTER_PER_DAY',
  async attack(target) {
    const tally = createTally()
    const sent = (): Promise<number> => sentBy(target)
    const [before, counted, meter] = [await sent(), await countedGas(target), await startMeter(target)]
    for (const [what, body] of [
      ['an empty body', {}],
      ['a bounty of nothing', aTask({ bounty_usd: 0 })],
      ['an unknown field', aTask({ tip: 1 })],
      ['a foreign network', aTask({ payment_network: 'base' })],
    ] as const) {
      const statuses = await inWaves(
        empty / 4,
        8,
        async () => (await newCaller(target, freshAddress()).signed('POST', '/api/v1/tasks', body)).status,
      )
      const minted = (await sent()) - before
      tally.many(
        `${what}: ${String(minted)} transactions`,
        statuses.length,
        minted > 0 ? statuses.length : statuses.filter((status) => status < 400 || status >= 500).length,
      )
    }
    const address = freshAddress()
    const codes = await inWaves(perAddress + beyond, 8, async () => {
      const reply = await newCaller(target, address).signed('POST', '/api/v1/tasks', aTask())
      return reply.status === 201 ? 'made' : codeOf(reply)
    })
    const made = codes.filter((code) => code === 'made').length
    const refused = codes.filter((code) => code === 'RATE_LIMITED' || code === 'GAS_BUDGET_SPENT').length
    tally.many(
      `an identity beyond the budget of an address: ${[...new Set(codes)].join(', ')}`,
      beyond,
      made - perAddress + (codes.length - made - refused),
    )
    const minted = (await sent()) - before
    const [spent, said] = [(await meter.read()).gas, (await countedGas(target)) - counted]
    tally.attempt(`${String(spent)} gas was spent and ${String(said)} counted`, spent <= said)
    tally.attempt(`${String(minted)} transactions for ${String(made)} identities`, minted <= made * transactionsEach)
    return tally.score()
  },
}

/** Transactions that the facilitator's account has sent. */
async function sentBy(target: Target): Promise<number> {
  return Number(await target.rpc('eth_getTransactionCount', [localRoles.facilitator.address, 'latest']))
}
