import type { Block } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { instant } from './present/instant.ts'
import { pageFields, pageRequest } from './present/page.ts'

export function createUserHandlers({ market }: ApiDeps): HandlersOf<'users'> {
  return {
    'users.block': async ({ caller }, input) =>
      done(presentBlock(await market.block(caller, input.wallet.toLowerCase()))),
    'users.unblock': async ({ caller }, input) => {
      const wallet = input.wallet.toLowerCase()
      return done({ wallet, removed: await market.unblock(caller, wallet) })
    },
    'users.blocked': async ({ caller }, input) => {
      const page = await market.blocked(caller, pageRequest(input))
      return done({ blocked: page.rows.map(presentBlock), ...pageFields(page) })
    },
  }
}

function presentBlock({ id, blocked, createdAt }: Block) {
  return { id, wallet: blocked, created_at: instant(createdAt) }
}
