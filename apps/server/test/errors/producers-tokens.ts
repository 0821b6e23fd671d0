import type { OAuthScope } from '@ergon/contract'
import type { BearerGrant } from '../../src/dispatch/bearer-grants.ts'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { ask, toolCall, unwrapped } from '../mcp/tokens.ts'
import type { Bench } from './bench.ts'
import type { Producers } from './producers.ts'

const scoped = (...scopes: readonly OAuthScope[]): Pick<BearerGrant, 'scopes'> => ({ scopes: new Set(scopes) })
const within = (maxCents: bigint, maxCount: number): Partial<BearerGrant> => ({
  ...scoped('agent:approve'),
  approval: { maxCents, maxCount },
})

/** What delegated tokens meet. */
export const tokenProducers = {
  GRANT_NOT_FOUND: ({ tools, publisher }) =>
    tools.known(publisher).call('DELETE', `/api/v1/account/grants/${'a'.repeat(43)}`),
  invalid_token: ({ tools }) => ask(tools.url, 'nobody-issued-this', toolCall('svc_get_fees')),
  insufficient_scope: ({ tools, tokens, publisher }) =>
    ask(tools.url, tokens.issue(publisher.wallet, scoped('task:read')), toolCall('svc_publish_task')),
  bearer_not_allowed: ({ tools, tokens, publisher }) =>
    send(tools.url, 'GET', '/api/v1/tasks', {
      host: authority,
      authorization: `Bearer ${tokens.issue(publisher.wallet)}`,
    }),
  async approval_amount_over_limit(bench) {
    return approved(bench, bench.tokens.issue(bench.publisher.wallet, within(50n, 5)))
  },
  async approval_count_exhausted(bench) {
    const token = bench.tokens.issue(bench.publisher.wallet, { ...within(10_000n, 1), grantId: 'used up' })
    await bench.sql(
      `insert into approval_budgets (grant_id, wallet, taken, kept_until) values ('used up', '0x', 1, now())`,
    )
    return approved(bench, token)
  },
  async approval_budget_missing(bench) {
    return approved(bench, bench.tokens.issue(bench.publisher.wallet, scoped('agent:approve')))
  },
  async approval_amount_unknown(bench) {
    const { taskId, submissionId } = await bench.submitted()
    await bench.sql(`update tasks set token = 'EURC' where id = $1`, [taskId])
    return approve(bench, bench.tokens.issue(bench.publisher.wallet, within(10_000n, 5)), submissionId)
  },
  async approval_budget_unavailable(bench) {
    const { submissionId } = await bench.submitted()
    const token = bench.tokens.issue(bench.publisher.wallet, within(10_000n, 5))
    return bench.withoutTable('approval_uses', () => approve(bench, token, submissionId))
  },
} satisfies Partial<Producers>

const approved = async (bench: Bench, token: string): Promise<Reply> =>
  approve(bench, token, (await bench.submitted()).submissionId)

const approve = async ({ tools }: Bench, token: string, submissionId: string): Promise<Reply> =>
  unwrapped(await ask(tools.url, token, toolCall('svc_approve_submission', { submission_id: submissionId })))
