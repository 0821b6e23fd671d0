import { connectTool } from '../oauth/connected.ts'
import type { Verdicts } from './roles.ts'
import type { Rows } from './rows.ts'

const everybody = { stranger: 'ok' } as const satisfies Verdicts

/** Tools that wallets let in: each sees its own alone. */
export const grantRows = {
  'grants.list': everybody,
  'grants.revoke': {
    // Whose it is not does not learn that it is there.
    stranger: 'GRANT_NOT_FOUND',
    publisher: 'ok',
    fields: async ({ scene, publisher }) => ({ grant_id: await connectTool(scene.databaseUrl, publisher.wallet) }),
  },
  'grants.revokeAll': everybody,
  'grants.log': everybody,
} satisfies Partial<Rows>
