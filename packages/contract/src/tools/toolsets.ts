import type { ToolName } from './tools.ts'

/** What both sides of a job need; it is in every set. */
const always = [
  'svc_get_task',
  'svc_wait_for_event',
  'svc_messages',
  'svc_send_message',
  'svc_questions',
  'svc_get_payment',
  'svc_get_funding',
  'svc_get_submission',
  'svc_get_reputation',
  'svc_check_identity',
  'svc_get_fees',
  'svc_server_status',
] as const satisfies readonly ToolName[]

/** Tools by what a host is there for (decision 0324); a tool may be in several sets, and is in at least one. */
const sets = {
  publish: [
    'svc_get_tasks',
    'svc_publish_task',
    'svc_update_task',
    'svc_set_policy',
    'svc_extend_deadline',
    'svc_cancel_task',
    'svc_get_applications',
    'svc_answer_question',
    'svc_invite_worker',
    'svc_assign_task',
    'svc_check_submission',
    'svc_approve_submission',
    'svc_request_changes',
    'svc_reject_submission',
    'svc_rate_worker',
  ],
  work: [
    'svc_register_as_executor',
    'svc_browse_agent_tasks',
    'svc_accept_agent_task',
    'svc_apply_to_task',
    'svc_ask_question',
    'svc_get_application',
    'svc_begin_work',
    'svc_get_upload_link',
    'svc_submit_work',
    'svc_get_my_tasks',
    'svc_withdraw_from_task',
    'svc_rate_agent',
  ],
  services: ['svc_browse_services', 'svc_get_service', 'svc_order_service', 'svc_publish_service'],
  disputes: [
    'svc_open_dispute',
    'svc_list_disputes',
    'svc_settlement_offers',
    'svc_settlement_challenge',
    'svc_offer_settlement',
    'svc_accept_challenge',
    'svc_accept_settlement',
    'svc_close_settlement',
    'svc_ruling_challenge',
    'svc_rule_dispute',
  ],
  metered: [
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
  ],
} as const satisfies Readonly<Record<string, readonly ToolName[]>>

export type ToolsetName = keyof typeof sets
export const toolsetNames = Object.keys(sets) as readonly ToolsetName[] // the keys of a constant object

/** The query of the address of the tools that names the sets to be listed. */
export const toolsetsParameter = 'tools'

const isToolset = (name: string): name is ToolsetName => Object.hasOwn(sets, name)

/** The sets that a text names, separated by commas; the first name that is none where there is one. */
export function readToolsets(text: string): { readonly sets: readonly ToolsetName[]; readonly unknown?: string } {
  const names = text.split(',')
  const unknown = names.find((name) => !isToolset(name))
  return { sets: names.filter(isToolset), ...(unknown === undefined ? {} : { unknown }) }
}

/** The tools of sets, with those that are in each. */
export function toolsOf(named: readonly ToolsetName[]): ReadonlySet<ToolName> {
  return new Set([...always, ...named.flatMap((one): readonly ToolName[] => sets[one])])
}

/** The sets that a tool is in. */
export function toolsetsOf(name: ToolName): readonly ToolsetName[] {
  return toolsetNames.filter((one) => toolsOf([one]).has(name))
}
