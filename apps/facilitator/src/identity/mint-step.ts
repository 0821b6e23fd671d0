import {
  type Address,
  agentMintAbi,
  agentMintCode,
  expectAgentTransfer,
  expectRegistered,
  identityRegistryAbi,
} from '@ergon/protocols'
import type { Draft } from '../chain/draft.ts'
import { Refusal } from '../errors.ts'
import type { Registration } from '../store/registrations.ts'
import { encodeCall, encodeCreation } from './contract-calls.ts'

/** A transaction of a registration, under a key of its own, so that it is sent once however often it is asked for. */
export type Step = Draft & { readonly idempotencyKey: string }

/**
 * Mints the agent and, for a recipient, hands it over in the same transaction. Between two transactions, a block that
 * is made again with other registrations in it would put a stranger's agent under the number that is handed over.
 */
export async function mintStep(
  { id, agentUri, metadata, recipient }: Registration,
  identity: Address,
  account: Address,
): Promise<Step> {
  const entries = metadata.map(({ key, value }) => ({ metadataKey: key, metadataValue: value }))
  const data = await encodeCall({
    abi: identityRegistryAbi,
    functionName: 'register',
    args: entries.length === 0 ? [agentUri] : [agentUri, entries],
  })
  if (recipient === null || recipient === account)
    return stepOf('register', id, { call: { to: identity, data }, expectations: [expectRegistered(identity, account)] })
  return stepOf('register', id, {
    call: {
      to: null,
      data: await encodeCreation({ abi: agentMintAbi, bytecode: agentMintCode, args: [identity, recipient, data] }),
    },
    // The first of each: a recipient that is a contract may register more, once it is called.
    expectations: [expectRegistered(identity, null), expectAgentTransfer(identity, null, recipient, null)],
  })
}

export function stepOf(kind: StepKind, id: string, step: Pick<Draft, 'call' | 'expectations'>): Step {
  return {
    kind,
    sameness: id,
    requestHash: id,
    idempotencyKey: stepKey(kind, id),
    conflictKeys: [`registration:${id}`],
    ...step,
    spent: () => new Refusal('ContractCall', 'already registered'),
    refuse: (revert) => new Refusal('ContractCall', `Contract call failed: ${revert.reason}`),
  }
}

export type StepKind = 'register' | 'register_transfer'

/** The space keeps these apart from callers' keys, which are visible characters only. */
export const stepKey = (kind: StepKind, id: string): string => ` ${kind}:${id}`
