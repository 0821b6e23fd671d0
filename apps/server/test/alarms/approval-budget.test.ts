import { freePort } from '@ergon/dev-env'
import { figureIn } from '@ergon/dev-env/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { eventually } from '../adapters/rig.ts'
import { authority } from '../dispatch/tiny-service.ts'
import type { Party } from '../http/live-market.ts'
import { startServer } from '../lines/server-process.ts'
import { ask, toolCall, unwrapped } from '../mcp/tokens.ts'
import { basic, createHand, startLiveOAuth, type LiveOAuth } from '../oauth/live-oauth.ts'
import { jobs } from '../tour/scene.ts'

const counter = 'ergon_approval_budget_unavailable_total'
let stack: AsyncDisposableStack
let live: LiveOAuth
let publisher: Party
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  live = stack.use(await startLiveOAuth({ SVC_AUTHORITIES: authority }))
  publisher = await live.market.party(10n)
})
afterAll(() => stack.disposeAsync())

test('alarm approval_budget_unavailable: a count that the database refuses is a line of the log, and no release', async () => {
  const pool = createPool(live.market.databaseUrl)
  stack.defer(() => pool.end())
  const scene = jobs(publisher, await live.market.party(0n), publisher)
  const hand = await createHand(live.issuer)
  const more = Object.entries({ approve: 'yes', usd: '5', count: '1' })
  const { access_token: token } = await hand.tokens(publisher, { scopes: basic, more, signsOrder: false })
  const { submissionId } = await scene.submitted()
  const SVC_METRICS_PORT = String(await freePort())
  const counted = async (): Promise<number> =>
    figureIn(await (await fetch(`http://127.0.0.1:${SVC_METRICS_PORT}/metrics`)).text(), counter)
  const env = {
    SVC_BASE_URL: live.issuer,
    SVC_MCP_URL: live.issuer,
    SVC_OAUTH: 'true',
    SVC_AUTHORITIES: authority,
    SVC_METRICS_PORT,
  }
  const server = await startServer(live.market.databaseUrl, { rig: live.market.rig, env })
  expect(server.said()).toContain(`server listening on http://127.0.0.1:${String(server.port)}\n`)
  expect(await counted()).toBe(0)
  await pool.query('alter table approval_uses rename to approval_uses_away')
  try {
    const asked = toolCall('svc_approve_submission', { submission_id: submissionId })
    const reply = unwrapped(await ask(server.url, token, asked, { host: new URL(live.issuer).host }))
    expect([reply.status, reply.body.code]).toEqual([403, 'approval_budget_unavailable'])
  } finally {
    await pool.query('alter table approval_uses_away rename to approval_uses')
  }
  const lines = await eventually(
    () =>
      Promise.resolve(
        server
          .said()
          .split('\n')
          .filter((line) => line.includes('approval_budget_unavailable')),
      ),
    (found) => found.length > 0,
  )
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
    level: 50,
    code: 'approval_budget_unavailable',
    submission_id: submissionId,
    msg: 'the approvals of tokens cannot be counted',
    err: { message: expect.stringContaining('approval_uses') },
  })
  await eventually(counted, (count) => count === 1)
  // Nothing of the token is in it.
  expect(server.said()).not.toContain(token)
})
