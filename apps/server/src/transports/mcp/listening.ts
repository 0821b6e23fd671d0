import { refusal } from '../../dispatch/refusal.ts'
import { createOpenStreams } from '../../events/open-streams.ts'
import type { InnerCall, Sender } from './inner-call.ts'
import { isMeter, taskOf } from './resources.ts'

/** Subscriptions that this process holds open, and tasks one of them may name. */
const streams = { each: 5, perAddress: 50, inAll: 1_000 }
const tasksEach = 50

export type Listening = {
  /**
   * Admits a subscription for as long as its connection lasts. @throws RATE_LIMITED, SERVICE_BUSY, VALIDATION_FAILED,
   * and the code of a task the sender may not read
   */
  begin(sender: Sender, params: Readonly<Record<string, unknown>>): Promise<void>
}

/** Who may read a task may subscribe to it, and is told of what its wallet may hear. */
export function createListening(calls: InnerCall): Listening {
  const open = createOpenStreams(streams)
  return {
    async begin(sender, params) {
      const uris = urisOf(params)
      if (uris.length > tasksEach)
        throw refusal('VALIDATION_FAILED', {
          field: 'resourceSubscriptions',
          constraint: `at most ${String(tasksEach)} items`,
        })
      const release = open.take({ key: sender.principal.wallet, request: sender.request })
      try {
        for (const uri of uris) await requireReadable(calls, sender, uri)
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

async function requireReadable(calls: InnerCall, sender: Sender, uri: string): Promise<void> {
  const id = taskOf(uri)
  if (id === undefined) return // other resources never change
  if (isMeter(uri))
    throw refusal('VALIDATION_FAILED', {
      field: 'resourceSubscriptions',
      constraint: `no meter; GET /api/v1/tasks/${id}/meter/stream tells of each change`,
    })
  const { code } = await calls.read('tasks.get', sender, { task_id: id })
  // A task that is over may still be subscribed to by its parties; the code says which it is.
  if (code !== null) throw refusal('TASK_NOT_FOUND', { task_id: id })
}

function urisOf(params: Readonly<Record<string, unknown>>): readonly string[] {
  // Whatever was sent; each part is checked.
  const { notifications } = params as { readonly notifications?: { readonly resourceSubscriptions?: unknown } | null }
  const uris = notifications?.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter((one): one is string => typeof one === 'string') : []
}
