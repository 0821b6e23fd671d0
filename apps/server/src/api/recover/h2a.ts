import { presentVerdict } from '../present/verdict.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'
import { recoverListings } from './listings.ts'
import { recoverTasks } from './tasks.ts'

/** On the rail of people the same calls are found again as on the signed one. */
export function recoverH2a(deps: RecoveryDeps): RecoveriesOf<'h2a'> {
  const tasks = recoverTasks(deps)
  return {
    'h2a.order': recoverListings(deps)['listings.order'],
    'h2a.assign': tasks['tasks.assign'],
    'h2a.cancel': tasks['tasks.cancel'],
    'h2a.approve': async (call, input, created) => {
      const { task_id } = input
      const task = await deps.market.readTask(call.caller, task_id)
      if (input.verdict === 'accepted') {
        const found = await tasks['tasks.approve'](call, { task_id }, created)
        return found === null ? null : { ...found, body: presentVerdict(input, task, found.body) }
      }
      const { decided, dispute } = created
      if (decided === undefined) return null
      const refusal = { submission_id: decided, status: input.verdict, dispute_id: dispute ?? null }
      return { body: presentVerdict(input, task, refusal) }
    },
  }
}
