import { describe, expect, test } from 'vitest'
import {
  operations,
  readToolsets,
  toolDocument,
  toolInput,
  tools,
  toolsetsOf,
  toolsOf,
  type Operation,
  type Tool,
  type ToolName,
} from '../src/index.ts'

/** Written out by hand: what agents call by name. The first fourteen are those of the specification. */
const names = [
  'svc_server_status',
  'svc_get_tasks',
  'svc_get_task',
  'svc_publish_task',
  'svc_assign_task',
  'svc_check_submission',
  'svc_approve_submission',
  'svc_cancel_task',
  'svc_order_service',
  'svc_browse_agent_tasks',
  'svc_accept_agent_task',
  'svc_register_as_executor',
  'svc_get_reputation',
  'svc_check_identity',
  'svc_update_task',
  'svc_apply_to_task',
  'svc_get_applications',
  'svc_get_upload_link',
  'svc_set_policy',
  'svc_extend_deadline',
  'svc_begin_work',
  'svc_get_application',
  'svc_submit_work',
  'svc_get_my_tasks',
  'svc_withdraw_from_task',
  'svc_get_submission',
  'svc_reject_submission',
  'svc_request_changes',
  'svc_open_dispute',
  'svc_messages',
  'svc_send_message',
  'svc_questions',
  'svc_ask_question',
  'svc_answer_question',
  'svc_invite_worker',
  'svc_settlement_offers',
  'svc_settlement_challenge',
  'svc_offer_settlement',
  'svc_accept_challenge',
  'svc_accept_settlement',
  'svc_close_settlement',
  'svc_list_disputes',
  'svc_ruling_challenge',
  'svc_rule_dispute',
  'svc_rate_worker',
  'svc_rate_agent',
  'svc_browse_services',
  'svc_get_service',
  'svc_publish_service',
  'svc_get_payment',
  'svc_get_funding',
  'svc_offer_channel',
  'svc_open_channel',
  'svc_close_channel',
  'svc_bind_channel',
  'svc_tick',
  'svc_scan',
  'svc_get_meter',
  'svc_start_session',
  'svc_my_sessions',
  'svc_get_session',
  'svc_tick_session',
  'svc_stop_session',
  'svc_get_fees',
  'svc_wait_for_event',
]

test('the tools are these', () => {
  expect(Object.keys(tools)).toEqual(names)
})

test('what a model chooses from is listed, and what a wallet signs is shown', () => {
  const shown = (name: keyof typeof tools) =>
    toolDocument(name, tools[name]).inputSchema['properties'] as Record<string, { enum?: unknown; items?: unknown }>
  expect(shown('svc_publish_task')).toMatchObject({
    category: { enum: expect.arrayContaining(['simple_action', 'research']) },
    evidence_required: { items: { enum: expect.arrayContaining(['text_response', 'photo']) } },
    target_executor_type: { enum: ['any', 'human', 'agent', 'robot'] },
  })
  expect(shown('svc_browse_agent_tasks')['category']).toHaveProperty('enum')
  expect(shown('svc_approve_submission')).toHaveProperty('approval')
  expect(shown('svc_approve_submission')).toHaveProperty('lifecycle_order')
  expect(shown('svc_assign_task')).toHaveProperty('payment_auth')
})

describe.each(Object.entries<Tool>(tools))('%s', (name, tool) => {
  const document = toolDocument(name, tool)
  const input = toolInput(tool)

  test('is told in few tokens', () => {
    // Four characters a token.
    const tokens = JSON.stringify([name, document.description, document.inputSchema]).length / 4
    const most: Readonly<Record<string, number>> = { svc_publish_task: 410, svc_submit_work: 560 }
    expect(tokens).toBeLessThanOrEqual(most[name] ?? 300)
    expect(JSON.stringify(document).length / 4).toBeLessThanOrEqual(name === 'svc_update_task' ? 900 : 800)
  })

  test('takes the arguments it shows, and shows every one it needs', () => {
    const shown = Object.keys(document.inputSchema['properties'] ?? {})
    expect(Object.keys(input.properties)).toEqual(expect.arrayContaining(shown))
    expect(shown).toEqual(expect.arrayContaining([...(input.required ?? [])]))
  })

  test('names fields that its operation has', () => {
    const fields = Object.keys((operations[tool.operation] as Operation).input.properties)
    const args = Object.keys(input.properties)
    expect(fields).toEqual(
      expect.arrayContaining([...Object.values(tool.named ?? {}), ...Object.keys(tool.headers ?? {})]),
    )
    expect(args).toEqual(
      expect.arrayContaining([
        ...(tool.quiet ?? []),
        ...Object.keys(tool.narrowed ?? {}),
        ...Object.keys(tool.shown ?? {}),
      ]),
    )
  })

  test('names the fields of its answer, and those of a refusal', () => {
    const { properties, anyOf } = document.outputSchema as { properties: object; anyOf: { required: string[] }[] }
    const [answer, refusal] = anyOf
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(answer?.required ?? []))
    expect(refusal).toEqual({ required: ['code', 'message'] })
    // A refusal has to fit where an answer has a field of the same name.
    for (const name of ['code', 'message'])
      expect(properties).toHaveProperty([name, 'type'], expect.stringMatching('string'))
    expect(properties).toMatchObject({ wallet_action: { type: 'object' } })
  })

  test('says that it only reads when it does and leaves no mark', () => {
    const { access, rest, marks } = operations[tool.operation] as Operation
    const isRead = rest.every(({ method }) => method === 'GET')
    expect(document.annotations.readOnlyHint).toBe(isRead && marks !== true)
    expect(document.annotations.destructiveHint).toBe(!isRead)
    expect(['anyone', 'wallet']).toContain(access.by)
  })
})

describe('sets of tools', () => {
  test('every tool is in one', () => {
    expect(Object.keys(tools).filter((name) => toolsetsOf(name as ToolName).length === 0)).toEqual([])
  })

  test('are read from a text, to the first that there is not', () => {
    expect(readToolsets('publish,work')).toEqual({ sets: ['publish', 'work'] })
    expect(readToolsets('publish,all,every')).toEqual({ sets: ['publish'], unknown: 'all' })
    for (const none of ['', 'publish,', 'constructor', 'Publish']) expect(readToolsets(none).unknown).toBeDefined()
  })

  test('one side of a job costs half of all', () => {
    const cost = (names: readonly string[]): number =>
      names.reduce((sum, name) => {
        const { description, inputSchema } = toolDocument(name, tools[name as ToolName])
        return sum + JSON.stringify([name, description, inputSchema]).length / 4
      }, 0)
    const all = cost(Object.keys(tools))
    expect(all).toBeLessThan(11_000)
    for (const set of ['publish', 'work'] as const) expect(cost([...toolsOf([set])])).toBeLessThan(all / 2)
  })
})
