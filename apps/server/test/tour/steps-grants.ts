import { expectStatus } from '../http/live-market.ts'
import { connectTool } from '../oauth/connected.ts'
import type { Scene } from './scene.ts'
import type { Steps } from './steps.ts'

const path = '/api/v1/account/grants'
const allowed = ({ databaseUrl, worker }: Scene): Promise<string> => connectTool(databaseUrl, worker.wallet)

/** Tools that the worker let in, read and taken back. */
export const grantSteps = {
  async 'grants.list'(scene) {
    for (let count = 0; count < 3; count += 1) await allowed(scene)
    return scene.worker.call('GET', `${path}?limit=1&offset=1`)
  },
  'grants.revoke': async (scene) => scene.worker.call('DELETE', `${path}/${await allowed(scene)}`),
  async 'grants.revokeAll'(scene) {
    await allowed(scene)
    return scene.worker.call('DELETE', path)
  },
  async 'grants.log'(scene) {
    await allowed(scene)
    const first = expectStatus(await scene.worker.call('GET', `${path}/log?limit=1`), 200)
    return scene.worker.call('GET', `${path}/log?limit=1&cursor=${String(first.body['next_cursor'])}`)
  },
} satisfies Partial<Steps>
