import { whoDecides } from '@ergon/contract/facts'
import type { Output } from '@ergon/sdk'
import { useMessages } from '../../lib/i18n.tsx'
import { useSession } from '../../wallet/wallet.tsx'
import { deciderMessages } from './messages.ts'
import { useArbiters } from './use-arbiters.ts'

/**
 * Who would decide a dispute about a task, or about one that is not posted yet: words for the middle of a sentence. The
 * reader is, or would be, one side of it.
 */
export function useDecider(task?: Pick<Output<'tasks.get'>, 'agent_id' | 'policy'>, worker?: string): string {
  const say = useMessages(deciderMessages)
  const { wallet } = useSession()
  const arbiters = useArbiters()
  // An arbiter or the operator: that is true before it is known whether there is any.
  if (arbiters === undefined) return say('any')
  const sides = [wallet, task?.agent_id, worker].map((side) => side?.toLowerCase() ?? '')
  return say(whoDecides({ named: task?.policy?.arbiter ?? null, arbiters, sides }))
}
