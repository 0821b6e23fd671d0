import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { pictureFault } from '../identity/picture.ts'
import type { MarketDeps } from './deps.ts'
import { ownWorker } from './own-worker.ts'

/**
 * Shows a picture on the profile of the caller; answers its name. What is kept is made of the bytes, and never the
 * bytes themselves (decision 0252).
 * @throws WORKER_NOT_FOUND, FORBIDDEN to everyone but the worker, VALIDATION_FAILED for what cannot be opened,
 * RATE_LIMITED
 */
export async function setPicture(
  deps: MarketDeps,
  caller: WalletCaller,
  executorId: string,
  bytes: Uint8Array,
): Promise<string> {
  const { pictures } = deps
  if (pictures === undefined) throw new Error('this market opens no pictures')
  const { id } = await ownWorker(deps, caller, executorId)
  const fault = pictureFault(bytes)
  if (fault !== null) throw refused(fault, bytes)
  await pictures.budget.take(caller)
  const square = await pictures.maker.square(bytes, caller.wallet)
  if (square === null) throw refused('a whole picture of at most 50 million pixels', bytes)
  const name = await deps.store.putPicture(id, square, deps.clock.now())
  // The account was deleted while the picture was made.
  if (name === null) throw new MarketError('WORKER_NOT_FOUND', { executor_id: executorId })
  return name
}

/** False when there was none. @throws WORKER_NOT_FOUND, FORBIDDEN to everyone but the worker */
export async function removePicture(deps: MarketDeps, caller: WalletCaller, executorId: string): Promise<boolean> {
  return deps.store.removePicture((await ownWorker(deps, caller, executorId)).id)
}

const refused = (constraint: string, { length }: Uint8Array): MarketError =>
  new MarketError('VALIDATION_FAILED', { field: 'picture', constraint, received: `${String(length)} bytes` })
