import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server'
import type { InnerCall, Sender } from './inner-call.ts'
import { categoriesFrom } from './prompts.ts'

/** Values for an argument as it is typed: categories, and ids of the caller's own tasks. */
export function createCompletions(
  calls: InnerCall,
): (asked: Pick<CompleteRequestParams, 'argument'>, sender: Sender) => Promise<CompleteResult> {
  return async ({ argument: { name, value } }, sender) => {
    const values =
      name === 'category'
        ? categoriesFrom(value)
        : name === 'task_id' || name === 'id'
          ? await ownTasks(calls, sender, value)
          : []
    return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } }
  }
}

async function ownTasks(calls: InnerCall, sender: Sender, typed: string): Promise<readonly string[]> {
  const { code, body } = await calls.read('tasks.list', sender, { publisher: sender.principal.wallet, limit: 100 })
  if (code !== null) return []
  const { tasks } = body as { readonly tasks: readonly { readonly id: string }[] } // the contract's output
  return tasks.map(({ id }) => id).filter((id) => id.startsWith(typed))
}
