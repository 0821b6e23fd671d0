import { refusal } from '../../dispatch/refusal.ts'
import type { InnerCall, Sender } from './inner-call.ts'
import { taskOf } from './resources.ts'

/** Subscriptions of one wallet that this process holds open, and tasks one of them may name. */
const streamsEach = 5
const tasksEach = 50

export type Listening = {
  /** Admits a subscription; what it answers ends it. @throws RATE_LIMITED, VALIDATION_FAILED, and the code of a task the sender may not read */
  begin(sender: Sender, params: Readonly<Record<string, unknown>>): Promise<() => void>
}

/** Who hears of a task is who may read it. */
export function createListening(calls: InnerCall): Listening {
  const open = new Map<string, number>()
  return {
    async begin(sender, params) {
      const { wallet } = sender.principal
      const uris = urisOf(params)
      if (uris.length > tasksEach) throw refusal('VALIDATION_FAILED', { field: 'resourceSubscriptions', constraint: `at most ${String(tasksEach)} items` })
      if ((open.get(wallet) ?? 0) >= streamsEach) throw refusal('RATE_LIMITED', { limit: streamsEach, remaining: 0 })
      open.set(wallet, (open.get(wallet) ?? 0) + 1)
      const end = (): void => {
        const left = (open.get(wallet) ?? 1) - 1
        if (left === 0) open.delete(wallet)
        else open.set(wallet, left)
      }
      try {
        for (const uri of uris) await requireReadable(calls, sender, uri)
      } catch (error) {
        end()
        throw error
      }
      return end
    },
  }
}

async function requireReadable(calls: InnerCall, sender: Sender, uri: string): Promise<void> {
  const id = taskOf(uri)
  if (id === undefined) return // other resources never change
  const { code } = await calls.read('tasks.get', sender, { task_id: id })
  // A task that is over may still be subscribed to by its parties; the code says which it is.
  if (code !== null) throw refusal('TASK_NOT_FOUND', { task_id: id })
}

function urisOf(params: Readonly<Record<string, unknown>>): readonly string[] {
  const { notifications } = params as { readonly notifications?: { readonly resourceSubscriptions?: unknown } | null } // whatever was sent; each part is checked
  const uris = notifications?.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter((one): one is string => typeof one === 'string') : []
}
