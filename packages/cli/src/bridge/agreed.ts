import { isFields } from './messages.ts'
import type { ToolCall } from './explain.ts'
import type { Entry } from './limits-of-signing.ts'

/** What publishing or editing a task agreed to pay, in the words of the call itself; undefined for other calls. */
export function agreedIn(call: ToolCall, result: unknown, now: number): Entry | undefined {
  const { name, given } = call
  const body = isFields(result) && result['isError'] !== true ? result['structuredContent'] : undefined
  if (!isFields(body)) return undefined
  const task = name === 'svc_publish_task' ? body['id'] : name === 'svc_update_task' ? given['task_id'] : undefined
  const bounty = given['bounty_usd']
  if (typeof task !== 'string' || typeof bounty !== 'number' || !(bounty > 0 && bounty < 1e9)) return undefined
  const text = (field: string): string | null => (typeof given[field] === 'string' ? given[field] : null)
  const amount = BigInt(bounty.toFixed(6).replace('.', ''))
  return {
    at: now,
    act: 'agreed',
    task: task.slice(0, 64),
    amount: String(amount),
    counted: '0',
    token: text('payment_token'),
    network: text('payment_network') ?? text('network'),
    to: null,
    payment: null,
  }
}
