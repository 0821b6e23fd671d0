import { refusal } from '../../dispatch/refusal.ts'
import { createOpenStreams } from '../../events/open-streams.ts'
import type { InnerCall, Sender } from './inner-call.ts'
import { isMeter, taskOf } from './resources.ts'

/** Subscriptions that this process holds open, and tasks one of them may name. */
const streams = { each: 5, perAddress: 50, inAll: 1_000 }
/** Each meter that is followed is looked at whenever anything is committed. */
const meters = { each: 10, perAddress: 100, inAll: 1_000 }
const tasksEach = 50

export type Listening = {
  /**
   * Admits a subscription for as long as its connection lasts. @returns the tasks whose meters it follows. @throws
   * RATE_LIMITED, SERVICE_BUSY, VALIDATION_FAILED, FEATURE_DISABLED, TASK_NOT_FOUND
   */
  begin(sender: Sender, params: Readonly<Record<string, unknown>>): Promise<readonly string[]>
}

/** Who may read a task may subscribe to it, and is told of what its wallet may hear. */
export function createListening(calls: InnerCall): Listening {
  const open = createOpenStreams(streams)
  const followed = createOpenStreams(meters)
  return {
    async begin(sender, params) {
      const uris = urisOf(params)
      if (uris.length > tasksEach)
        throw refusal('VALIDATION_FAILED', {
          field: 'resourceSubscriptions',
          constraint: `at most ${String(tasksEach)} items`,
        })
      const { principal, request } = sender
      const held = [open.take({ key: principal.wallet, request })]
      const release = (): void => {
        for (const one of held) one()
      }
      const metered = new Set<string>()
      try {
        for (const uri of uris) {
          const taskId = await readableTask(calls, sender, uri)
          if (taskId === undefined || !isMeter(uri) || metered.has(taskId)) continue
          held.push(followed.take({ key: principal.wallet, request: { ip: request.ip } }))
          metered.add(taskId)
        }
      } catch (error) {
        release()
        throw error
      }
      request.onEnd?.(release)
      return [...metered]
    },
  }
}

/** The task that a URI names, if the sender may read what it names. */
async function readableTask(calls: InnerCall, sender: Sender, uri: string): Promise<string | undefined> {
  const id = taskOf(uri)
  if (id === undefined) return undefined // other resources never change
  const { code } = await calls.read(isMeter(uri) ? 'meters.get' : 'tasks.get', sender, { task_id: id })
  if (code === 'FEATURE_DISABLED') throw refusal(code)
  // A task that is over may still be subscribed to by its parties; the code says which it is.
  if (code !== null) throw refusal('TASK_NOT_FOUND', { task_id: id })
  return id
}

function urisOf(params: Readonly<Record<string, unknown>>): readonly string[] {
  // Whatever was sent; each part is checked.
  const { notifications } = params as { readonly notifications?: { readonly resourceSubscriptions?: unknown } | null }
  const uris = notifications?.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter((one): one is string => typeof one === 'string') : []
}
