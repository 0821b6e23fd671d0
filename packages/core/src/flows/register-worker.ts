import type { Party } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { WorkerView } from '../identity/worker.ts'
import type { MarketDeps } from './deps.ts'

/** The wallet becomes a worker, or changes its name and party; over a session it is a human and stays one. */
export async function registerWorker(deps: MarketDeps, caller: WalletCaller, { name, party }: { readonly name: string | null; readonly party: Party }): Promise<WorkerView> {
  requirePerson(caller, party)
  if (caller.via === 'session') requirePerson(caller, (await deps.store.workerByWallet(caller.wallet))?.party ?? 'human')
  await deps.identified(caller)
  return deps.store.putWorker({ id: deps.ids.next(), wallet: caller.wallet, party, at: deps.clock.now(), ...(name === null ? {} : { displayName: name }) })
}

/** The worker that a caller works as. Software signs what it asks, so only a person stands behind a session. */
export async function workerBehind(deps: MarketDeps, caller: WalletCaller, now: Date): Promise<WorkerView> {
  if (caller.via === 'signature') return deps.store.putWorker({ id: deps.ids.next(), wallet: caller.wallet, at: now })
  const known = await deps.store.workerByWallet(caller.wallet)
  const worker = known ?? (await deps.store.putWorker({ id: deps.ids.next(), wallet: caller.wallet, party: 'human', at: now }))
  requirePerson(caller, worker.party)
  return worker
}

/** A session is for people (spec §1.2, §1.4). @throws SESSION_NOT_FOR_PARTY */
export function requirePerson(caller: WalletCaller, party: Party): void {
  if (caller.via === 'session' && party !== 'human') throw new MarketError('SESSION_NOT_FOR_PARTY', { executor_type: party })
}
