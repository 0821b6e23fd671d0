import { expectAuthorizationUsed, expectTransfer } from '@ergon/protocols'
import type { Revert } from '../chain/reverts.ts'
import { Refusal } from '../errors.ts'
import { directShare } from '../gas/gas-share.ts'
import type { Networks } from '../network/served-network.ts'
import { checkExactOnChain, exactCall, faultOf, judgeExact } from '../verify/exact.ts'
import type { Envelope } from '../wire/envelope.ts'
import type { Terms } from '../chain/draft.ts'
import type { SettlePlan } from './escrow.ts'

/** Turns a direct payment into its transfer, or refuses it before any transaction. */
export async function planDirect(
  envelope: Envelope,
  networks: Networks,
  terms: Terms,
  now: number,
): Promise<SettlePlan> {
  const verdict = judgeExact(envelope, networks, now)
  if (verdict.reason !== undefined) throw direct(verdict.reason)
  const { network, asset, authorization } = verdict.payment
  const { from, to, value, nonce } = authorization
  // A spent nonce is left to the pipeline, which knows whether it was this service that spent it, and in which
  // transaction.
  const fault = await checkExactOnChain(verdict.payment)
  if (fault !== undefined && fault !== 'invalid_exact_evm_nonce_already_used') throw direct(fault)
  return {
    network,
    payer: from,
    payee: to,
    draft: {
      kind: 'exact',
      onceKey: `exact:${asset}:${from}:${nonce}`,
      sameness: `${to}:${value}`,
      ...terms,
      conflictKeys: [`authorization:${asset}:${from}:${nonce}`],
      call: exactCall(verdict.payment),
      expectations: [expectAuthorizationUsed(asset, from, nonce), expectTransfer(asset, from, to, value)],
      spent: (transaction) => direct('invalid_exact_evm_nonce_already_used', { transaction }),
      refuse: refuseDirect,
      gas: directShare(from),
    },
  }
}

/** Spec names that have a reference reason are answered by it; the machine field keeps the spec's name. */
function direct(reason: string, details: Readonly<Record<string, unknown>> = {}): Refusal {
  return new Refusal(specNames[reason] ?? reason, reason, { details })
}

const specNames: Readonly<Record<string, string>> = {
  invalid_exact_evm_signature: 'invalid_signature',
  invalid_exact_evm_nonce_already_used: 'nonce_already_used',
  invalid_exact_evm_insufficient_balance: 'insufficient_balance',
  invalid_exact_evm_payload_authorization_valid_before: 'expired_authorization',
  invalid_network: 'UnsupportedNetwork',
}

function refuseDirect(revert: Revert): Refusal {
  const { reason, message } = faultOf(revert)
  return message === undefined ? direct(reason) : new Refusal('ContractCall', `${reason}: ${message}`)
}
