import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentMessage } from './present/message.ts'
import { pageFields, pageRequest } from './present/page.ts'

export function createMessageHandlers({ market }: ApiDeps): HandlersOf<'messages'> {
  return {
    'messages.list': async ({ caller, request }, { task_id, ...paging }) => {
      const found = await market.messages(caller, task_id, pageRequest(paging), request.requestId)
      return done({ messages: found.rows.map(presentMessage), ...pageFields(found) })
    },
    'messages.send': async ({ caller }, { task_id, text }) =>
      done(presentMessage(await market.sendMessage(caller, task_id, text))),
  }
}
