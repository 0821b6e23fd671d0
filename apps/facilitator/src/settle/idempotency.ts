import type { Ticket } from '../chain/draft.ts'
import { keyConflict } from '../chain/recognise.ts'
import type { Networks } from '../network/served-network.ts'
import type { IntentStore } from '../store/intents.ts'

/** The settlement a key already stands for, in flight or done; undefined when the key is free. */
export async function findKeyed(deps: { readonly intents: IntentStore; readonly networks: Networks }, key: string, requestHash: string): Promise<Ticket | undefined> {
  const [intent] = await deps.intents.find('', [], [key])
  if (intent === undefined) return undefined
  if (intent.requestHash !== requestHash) throw keyConflict(intent)
  const tracked = deps.networks.find(intent.network)?.tracker.find(intent.id)
  const outcome = intent.outcome === null ? tracked?.outcome : Promise.resolve(intent.outcome)
  if (outcome === undefined) return undefined
  return { outcome, transaction: () => intent.transactions.at(-1)?.hash, cancel: () => false }
}
