import { localRoles } from '@ergon/contracts'
import { generatePrivateKey, privateKeySigner } from '@ergon/protocols'
import { ask, codeOf, type Reply } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress } from '../caller.ts'
import { startMeter } from '../costs.ts'
import { countedGas } from '../counted-gas.ts'
import type { Target } from '../target.ts'
import { inWaves } from '../waves.ts'

/** As the program starts its facilitator: FACILITATOR_GAS_PER_DAY for one wallet and one caller, in gas. */
const most = { wallet: 50_000_000, caller: 400_000_000 } as const
/** About as much as one registration may store before its own ceiling refuses it. */
const storedBytes = 2_048
const gasOfHeavy = 250_000 + storedBytes * 715
const beyond = 6
const spellings = ['/register', '/%72egister', '/regis%74er?x=1', '/%66eedback'] as const
const flood = 900

/** A stranger at the facilitator's own door. */
export const gasFacilitator: AttackClass = {
  name: 'gas at the facilitator',
  on: 'own',
  held: 'FACILITATOR_GAS_PER_DAY for a wallet, a caller and in all, counted before sending; FACILITATOR_RATE_LIMIT by endpoint',
  async attack(target) {
    const tally = createTally()
    const [before, counted, meter] = [await sentBy(target), await countedGas(target), await startMeter(target)]
    const address = freshAddress()
    for (const [what, path, body] of unpaid()) {
      const reply = await post(target, path, body, address)
      tally.attempt(`${what}: ${String(reply.status)}`, reply.status >= 400 && reply.status < 500)
    }
    tally.attempt('something was sent for them', (await sentBy(target)) === before)
    const wallet = freshWallet()
    const ofWallet = await inWaves(Math.floor(most.wallet / gasOfHeavy) + beyond, 4, () =>
      post(target, '/register', heavy(wallet), address),
    )
    tally.many('an identity beyond the gas of a wallet', beyond, made(ofWallet) - Math.floor(most.wallet / gasOfHeavy))
    const caller = freshAddress()
    const inAll = Math.floor(most.caller / gasOfHeavy)
    const ofCaller = await inWaves(inAll + beyond, 4, () => post(target, '/register', heavy(freshWallet()), caller))
    tally.many('an identity beyond the gas of a caller', beyond, made(ofCaller) - inAll)
    const [spent, said] = [(await meter.read()).gas, (await countedGas(target)) - counted]
    tally.attempt(`${String(spent)} gas was spent and ${String(said)} counted`, spent <= said)
    const flooder = freshAddress()
    const statuses = await inWaves(
      flood,
      16,
      async (index) => (await post(target, spellings[index % spellings.length] ?? '', {}, flooder)).status,
    )
    // A sixth of the rate limit of payments, as every identity endpoint has it: 300 at once and 10 a second here.
    tally.many(
      'requests beyond the limit of an endpoint, however its path is written',
      flood - 600,
      statuses.filter((status) => status !== 429).length - 600,
    )
    return tally.score()
  },
}

function unpaid(): readonly (readonly [string, string, object])[] {
  const feedback = { agentId: 0, value: 100, tag1: 'worker' }
  const paid = { transactionHash: `0x${'12'.repeat(32)}`, payer: freshWallet(), payee: freshWallet() }
  return [
    ['a rating without a payment', '/feedback', { x402Version: 1, network: 'localnet', feedback }],
    [
      'a rating with a payment that is none',
      '/feedback',
      { x402Version: 1, network: 'localnet', feedback: { ...feedback, payment: paid } },
    ],
    [
      'a rating with a proof that is none',
      '/feedback',
      { x402Version: 1, network: 'localnet', feedback: { ...feedback, proof: paid } },
    ],
    ['a rating that is taken back', '/feedback/revoke', { network: 'localnet', agentId: 0, feedbackIndex: 1 }],
    ['a registration with an unknown field', '/register', { ...heavy(freshWallet()), surprise: 1 }],
    ['a registration on a foreign network', '/register', { ...heavy(freshWallet()), network: 'base' }],
    [
      'a payment that nobody signed',
      '/settle',
      { x402Version: 2, paymentPayload: { x402Version: 2, payload: {} }, paymentRequirements: {} },
    ],
  ]
}

function heavy(recipient: string): object {
  const metadata = [{ key: 'k', value: `0x${'ab'.repeat(storedBytes)}` }]
  return { x402Version: 1, network: 'localnet', agentUri: 'https://agents.example/heavy', recipient, metadata }
}

const freshWallet = (): string => privateKeySigner(generatePrivateKey()).address
const made = (replies: readonly Reply[]): number =>
  replies.filter((reply) => reply.status < 400 || codeOf(reply) !== 'gas_budget_spent').length

function post({ facilitatorUrl }: Target, path: string, body: object, from: string): Promise<Reply> {
  return ask(facilitatorUrl, {
    method: 'POST',
    target: path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    from,
    timeoutMs: 40_000,
  })
}

async function sentBy(target: Target): Promise<number> {
  return Number(await target.rpc('eth_getTransactionCount', [localRoles.facilitator.address, 'pending']))
}
