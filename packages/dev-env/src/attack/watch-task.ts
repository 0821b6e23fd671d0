import type { Reply } from './ask.ts'
import type { Caller } from './caller.ts'

export type Watching = { readonly id?: string; readonly token?: string; readonly authentication?: object }

/** Asks over A2A that updates of a task be posted to an address. */
export function watchTask(caller: Caller, taskId: string, url: string, more: Watching = {}): Promise<Reply> {
  return caller.signed('POST', '/a2a', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId, pushNotificationConfig: { url, ...more } },
  })
}
