import { isA2aFinal, type A2aTaskState } from '@ergon/contract'
import { isObject } from './json-rpc.ts'
import type { Opened } from './outcome.ts'
import type { Step } from '../../dispatch/a2a-answers.ts'

/** Resolves once the task is over or needs its caller, when the time is over, or when nobody waits any more. */
export async function waitForTask({ first, rest, stop }: Opened, ms: number, leaving: AbortSignal): Promise<void> {
  const limit = setTimeout(stop, ms)
  leaving.addEventListener('abort', stop)
  try {
    if (leaving.aborted || isSettled(first)) return
    for await (const step of rest) if (isSettled(step)) return
  } finally {
    clearTimeout(limit)
    leaving.removeEventListener('abort', stop)
    stop()
    await rest.return(undefined)
  }
}

function isSettled(step: Step): boolean {
  const status = step?.update['status']
  if (!isObject(status)) return false
  const state = status['state'] as A2aTaskState // made by us
  return isA2aFinal(state) || state === 'input-required' || state === 'auth-required'
}
