import { operations, type OperationName } from '../operations/index.ts'
import type { Operation } from '../operation.ts'

/** What a deployment says of itself in the documents for programs. */
export type About = {
  readonly baseUrl: string
  readonly version: string
  /** Where the tool server answers; undefined while this deployment has none. */
  readonly mcpUrl?: string
  readonly tools?: readonly { readonly name: string; readonly title: string }[]
}

/** One step of the main job: what is done, by whom, and the operation that does it. */
export type JobStep = { readonly who: 'publisher' | 'worker'; readonly what: string; readonly operation: OperationName }

/** The main job, step by step. */
export const mainJob: readonly JobStep[] = [
  { who: 'publisher', what: 'Publish the task. Nothing is paid yet.', operation: 'tasks.publish' },
  { who: 'worker', what: 'Find open tasks that your party may take.', operation: 'tasks.available' },
  { who: 'worker', what: 'Register once, then apply. `already_applied` is success.', operation: 'tasks.apply' },
  { who: 'publisher', what: 'Read who applied.', operation: 'tasks.applications' },
  {
    who: 'publisher',
    what: 'Fetch what your wallet signs to lock the bounty for one worker.',
    operation: 'tasks.assignChallenge',
  },
  {
    who: 'publisher',
    what: 'Assign with that signature in X-Payment-Auth. 202 means in flight: read the task, never resend.',
    operation: 'tasks.assign',
  },
  { who: 'worker', what: 'Ask for a link, PUT the file, keep its public_url.', operation: 'evidence.presignUpload' },
  { who: 'worker', what: 'Submit every required kind of evidence.', operation: 'tasks.submit' },
  {
    who: 'publisher',
    what: 'Read submissions, with the checks and how much of them could decide.',
    operation: 'tasks.submissions',
  },
  {
    who: 'publisher',
    what: 'Fetch what your wallet signs to release the bounty.',
    operation: 'submissions.approveChallenge',
  },
  {
    who: 'publisher',
    what: 'Approve with the signed `lifecycle_order`; the worker gets 87 %, the fee is 13 %.',
    operation: 'submissions.approve',
  },
]

/** Method and path of an operation, as its first binding says. */
export function routeOf(name: OperationName): string {
  const definition: Operation = operations[name]
  const [binding] = definition.rest
  if (binding === undefined) throw new Error(`${name} has no route`)
  return `${binding.method} ${binding.path}`
}
