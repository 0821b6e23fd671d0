import { describe, expect, test } from 'vitest'
import { bearerNeed, operations, tools, type Operation, type Tool } from '../src/index.ts'

const needOf = (name: string): string =>
  bearerNeed((operations as Readonly<Record<string, Operation>>)[name] as Operation) // named below

/** Written out by hand from the scopes of the specification and the doors it closes (spec §5, OAuth 7). */
const tool: Readonly<Record<string, string>> = {
  svc_server_status: 'token',
  svc_get_tasks: 'task:read',
  svc_get_task: 'task:read',
  svc_publish_task: 'agent:publish',
  svc_assign_task: 'task:write',
  svc_check_submission: 'task:read',
  svc_approve_submission: 'agent:approve',
  svc_cancel_task: 'task:cancel',
  svc_order_service: 'agent:publish',
  svc_browse_agent_tasks: 'task:read',
  svc_accept_agent_task: 'worker:apply',
  svc_register_as_executor: 'refused',
  svc_get_reputation: 'refused',
  svc_check_identity: 'refused',
  svc_update_task: 'task:write',
  svc_apply_to_task: 'worker:apply',
  svc_get_applications: 'task:read',
  svc_get_upload_link: 'refused',
  svc_set_policy: 'task:write',
  svc_invite_worker: 'task:write',
  svc_extend_deadline: 'task:write',
  svc_begin_work: 'refused',
  svc_get_application: 'task:read',
  svc_submit_work: 'refused',
  svc_get_my_tasks: 'task:read',
  svc_withdraw_from_task: 'refused',
  svc_get_submission: 'task:read',
  svc_reject_submission: 'task:write',
  svc_request_changes: 'task:write',
  svc_open_dispute: 'refused',
  svc_messages: 'task:read',
  svc_send_message: 'task:write',
  svc_questions: 'task:read',
  svc_ask_question: 'worker:apply',
  svc_answer_question: 'task:write',
  svc_settlement_offers: 'refused',
  svc_settlement_challenge: 'refused',
  svc_offer_settlement: 'refused',
  svc_accept_challenge: 'refused',
  svc_accept_settlement: 'refused',
  svc_close_settlement: 'refused',
  svc_list_disputes: 'refused',
  svc_ruling_challenge: 'refused',
  svc_rule_dispute: 'refused',
  svc_rate_worker: 'refused',
  svc_rate_agent: 'refused',
  svc_browse_services: 'token',
  svc_get_service: 'token',
  svc_publish_service: 'agent:publish',
  svc_get_payment: 'task:read',
  svc_get_funding: 'task:read',
  svc_offer_channel: 'task:read',
  svc_open_channel: 'task:write',
  svc_close_channel: 'task:write',
  svc_bind_channel: 'task:write',
  svc_tick: 'refused',
  svc_scan: 'refused',
  svc_get_meter: 'task:read',
  svc_start_session: 'agent:publish',
  svc_my_sessions: 'task:read',
  svc_get_session: 'task:read',
  svc_tick_session: 'refused',
  svc_stop_session: 'task:write',
  svc_get_fees: 'token',
  svc_wait_for_event: 'task:read',
}

test('each tool needs this of a delegated token', () => {
  expect(
    Object.fromEntries(Object.entries<Tool>(tools).map(([name, { operation }]) => [name, needOf(operation)])),
  ).toEqual(tool)
})

describe('doors that no delegated token opens', () => {
  const behind = Object.entries<Operation>(operations).filter(([, { rest }]) =>
    rest.every(({ path }) => /^\/api\/v1\/(escrow|account|disputes|evidence|reputation|admin|h2a)(\/|$)/.test(path)),
  )
  test('there are operations behind every one of them', () => {
    expect([...new Set(behind.map(([, { rest }]) => rest[0]?.path.split('/')[3]))].sort()).toEqual([
      'account',
      'admin',
      'disputes',
      'escrow',
      'evidence',
      'h2a',
      'reputation',
    ])
  })
  test.each(behind)('%s', (_name, definition) => {
    expect(bearerNeed(definition)).toBe('refused')
  })
})

test.each([
  ['tasks.submit', 'worker:submit'],
  ['reputation.rateWorker', 'reputation:rate'],
  ['reputation.rateAgent', 'reputation:rate'],
])('%s names the scope %s, which no delegated token carries', (name, scope) => {
  expect((operations as Readonly<Record<string, Operation>>)[name]?.access).toMatchObject({ scope })
  expect(needOf(name)).toBe('refused')
})

test('an operation that writes and names no scope opens to no delegated token', () => {
  const open = Object.entries<Operation>(operations)
    .filter(([, definition]) => bearerNeed(definition) === 'token')
    .map(([, { rest }]) => rest.map(({ method }) => method))
  expect(new Set(open.flat())).toEqual(new Set(['GET']))
})

test('whose session opens an operation is a person, not a tool', () => {
  expect(needOf('auth.closeSession')).toBe('refused')
  expect(needOf('h2a.publish')).toBe('refused')
  expect(needOf('admin.ban')).toBe('refused')
})
