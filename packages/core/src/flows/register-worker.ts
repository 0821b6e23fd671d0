import type { Party } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { partyOf } from '../identity/party.ts'
import type { WorkerView } from '../identity/worker.ts'
import type { MarketDeps } from './deps.ts'

/** Tasks that an answer names. */
const namedTasks = 20

type Registration = { readonly name: string | null; readonly party: Party | null }

/**
 * The wallet becomes a worker, or changes its name and party.
 * @throws SESSION_REQUIRED, SESSION_NOT_FOR_PARTY, ACCOUNT_BUSY
 */
export async function registerWorker(
  deps: MarketDeps,
  caller: WalletCaller,
  { name, party }: Registration,
): Promise<WorkerView> {
  const known = await deps.store.workerByWallet(caller.wallet)
  const next = partyOf(caller.via, known?.party ?? null, party)
  if (known !== null) await changeParty(deps, known, next)
  await deps.identified(caller)
  const fresh = { id: deps.ids.next(), wallet: caller.wallet, party: next, at: deps.clock.now() }
  return deps.store.putWorker({ ...fresh, ...(name === null ? {} : { displayName: name }) })
}

/** What was agreed to as one party is not carried on as another. @throws ACCOUNT_BUSY while something is open */
export async function changeParty(deps: MarketDeps, worker: WorkerView, party: Party): Promise<void> {
  if (worker.party === party) return
  const open = await deps.store.transaction((tx) => tx.changeParty(worker, party))
  if (open.length === 0) return
  throw new MarketError('ACCOUNT_BUSY', { task_ids: open.slice(0, namedTasks), tasks_in_flight: open.length })
}

/** The worker that a caller works as. Software signs what it asks, so a session belongs to a person. */
export async function workerBehind(deps: MarketDeps, caller: WalletCaller, now: Date): Promise<WorkerView> {
  const known = caller.via === 'session' ? await deps.store.workerByWallet(caller.wallet) : null
  const fresh = { id: deps.ids.next(), wallet: caller.wallet, party: partyOf(caller.via, null, null), at: now }
  const worker = known ?? (await deps.store.putWorker(fresh))
  requirePerson(caller, worker.party)
  return worker
}

/** A session is for people (spec §1.2, §1.4). @throws SESSION_NOT_FOR_PARTY */
export function requirePerson(caller: WalletCaller, party: Party): void {
  if (caller.via === 'session' && party !== 'human')
    throw new MarketError('SESSION_NOT_FOR_PARTY', { executor_type: party })
}
