import { limits } from '@ergon/contract'
import { done } from '../../dispatch/handlers.ts'
import { presentMessage } from '../present/message.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

export function recoverMessages({ market }: RecoveryDeps): RecoveriesOf<'messages'> {
  return {
    'messages.send': async ({ caller }, { task_id }, { message }) => {
      if (message === undefined) return null
      const { rows } = await market.messages(caller, task_id, { limit: limits.pageMax, offset: 0, cursor: null })
      const found = rows.find(({ id }) => id === message)
      return found === undefined ? null : done(presentMessage(found))
    },
  }
}
