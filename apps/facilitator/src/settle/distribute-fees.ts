import { balanceOfCalldata, distributeFeesCalldata } from '../chain/calldata.ts'
import { expectTransfer } from '../chain/events.ts'
import { missingEvent } from '../chain/expectation.ts'
import { wordAt } from '../chain/words.ts'
import { Refusal, Unavailable } from '../errors.ts'
import type { Context } from '../http/context.ts'
import { landed, type IdentityRequest } from '../identity/feedback.ts'
import { readAddress, readRecord, readText } from '../wire/read.ts'
import { awaitOutcome, hashNames } from './await-outcome.ts'
import { refuseRevert } from './escrow.ts'

const keys = new Set(['network', 'token'])

/** Moves what the operator has collected to the treasury. The contract fixes the destination, so anybody may ask. */
export async function distributeFees(request: IdentityRequest, context: Context): Promise<object> {
  const body = readRecord(request.value, 'body', keys)
  const name = readText(body['network'], 'network', 64)
  const network = context.networks.find(name)
  if (network?.escrow === undefined) throw new Refusal('UnsupportedNetwork', `Network ${name} does not support PaymentOperator (escrow not deployed)`)
  const token = readAddress(body['token'], 'token')
  if (!network.tokens.has(token)) throw new Refusal('invalid_payload', `token ${token} is not served`)
  const { operator, owner } = network.escrow
  const balance = await network.rpc.call('eth_call', [{ to: token, data: balanceOfCalldata(operator) }, 'latest'])
  if (typeof balance !== 'string') throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read')
  if (BigInt(balance) === 0n) return { success: true, transaction: null, amount: '0', network: name }
  const outcome = await awaitOutcome(network.pipeline.submit({
    kind: 'distribute_fees',
    sameness: token,
    requestHash: request.requestHash,
    ...(request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }),
    conflictKeys: [`fees:${token}`],
    call: { to: operator, data: distributeFeesCalldata(token) },
    expectations: [expectTransfer(token, operator, owner, undefined)],
    spent: () => new Refusal('ContractCall', 'already distributed'),
    refuse: refuseRevert(operator),
  }), context)
  // Fees that another distribution took first leave nothing to move: the call succeeds without an event.
  if (outcome.failure?.code === missingEvent) return { success: true, transaction: null, amount: '0', network: name }
  landed(outcome)
  const moved = outcome.logs[0] === undefined ? 0n : wordAt(outcome.logs[0].data, 0) ?? 0n
  return { success: true, ...hashNames(outcome.transaction), amount: moved.toString(), network: name }
}
