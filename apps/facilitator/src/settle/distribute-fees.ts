import { balanceOfCalldata, distributeFeesCalldata, expectTransfer, wordAt } from '@ergon/protocols'
import type { Terms } from '../chain/draft.ts'
import { missingEvent } from '../chain/expectation.ts'
import { Refusal, Unavailable } from '../errors.ts'
import { sweepShare } from '../gas/gas-share.ts'
import type { Context } from '../http/context.ts'
import { landed } from '../identity/landed.ts'
import { readAddress, readRecord, readText } from '../wire/read.ts'
import { hashNames } from './await-outcome.ts'
import { carryOut, findBound } from './carry-out.ts'
import { refuseRevert } from '../verify/escrow.ts'

const keys = ['network', 'token']
const nothingCode = 'nothing_to_distribute'

/** Moves what the operator has collected to the treasury. The contract fixes the destination, so anybody may ask. */
export async function distributeFees(value: unknown, terms: Terms, context: Context): Promise<object> {
  const body = readRecord(value, 'body', keys)
  const name = readText(body['network'], 'network', 64)
  const network = context.networks.find(name)
  if (network?.escrow === undefined)
    throw new Refusal('UnsupportedNetwork', `Network ${name} does not support PaymentOperator (escrow not deployed)`)
  const token = readAddress(body['token'], 'token')
  if (!network.tokens.has(token)) throw new Refusal('invalid_payload', `token ${token} is not served`)
  const { operator, owner } = network.escrow
  const nothing = { success: true, transaction: null, amount: '0', network: name }
  const attempt = async () => {
    // Before the balance: once the sweep of this key has landed, the balance says that there is nothing to sweep.
    const earlier = await findBound(terms, context)
    if (earlier !== undefined) return earlier
    const balance = await network.rpc.call('eth_call', [{ to: token, data: balanceOfCalldata(operator) }, 'latest'])
    if (typeof balance !== 'string') throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read')
    // A refusal, so that a key is bound to it: a copy that has just landed is found instead.
    if (BigInt(balance) === 0n) throw new Refusal(nothingCode, 'the operator holds no fees', { status: 200 })
    return network.pipeline.submit({
      ...terms,
      kind: 'distribute_fees',
      sameness: token,
      conflictKeys: [`fees:${token}`],
      call: { to: operator, data: distributeFeesCalldata(token) },
      expectations: [expectTransfer(token, operator, owner, undefined)],
      spent: () => new Refusal('ContractCall', 'already distributed'),
      refuse: refuseRevert(operator),
      gas: sweepShare,
    })
  }
  const outcome = await carryOut(terms, context, attempt).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === nothingCode) return undefined
    throw error
  })
  // Fees that another distribution took first leave nothing to move: the call succeeds without an event.
  if (outcome === undefined || outcome.failure?.code === missingEvent) return nothing
  landed(outcome, terms)
  const moved = outcome.logs[0] === undefined ? 0n : (wordAt(outcome.logs[0].data, 0) ?? 0n)
  return { success: true, ...hashNames(outcome.transaction), amount: moved.toString(), network: name }
}
