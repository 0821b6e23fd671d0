import { randomUUID } from 'node:crypto'
import type { Reply } from '../dispatch/send.ts'
import type { LiveMarket, Party } from '../http/live-market.ts'
import type { jobs } from '../tour/scene.ts'
import { ask, createTokens, messageOf, toolCall, unwrapped } from './tokens.ts'

export const tokens = createTokens()
/** A market, and who pays and works there. */
export type Place = {
  readonly market: LiveMarket
  readonly publisher: Party
  readonly worker: Party
  readonly scene: ReturnType<typeof jobs>
}

export type Json = Readonly<Record<string, unknown>>
/** A way in; calls by the name that the transport has for it, and answers the body, or what is beside it. */
export type Door = {
  readonly named: 'tool' | 'action'
  readonly call: (place: Place, name: string, args: Json) => Promise<Json>
}

export const signedTools: Door = {
  named: 'tool',
  async call({ publisher }, name, args) {
    const { text, headers } = messageOf(toolCall(name, args))
    return unwrapped(await publisher.call('POST', '/mcp', text, headers)).body
  },
}
/** A token that may release 1.06 USD; the tasks here are worth 1.07. */
export const delegatedTools: Door = {
  named: 'tool',
  async call({ market, publisher }, name, args) {
    const scopes = new Set(['task:read', 'task:write', 'agent:publish', 'agent:approve'] as const)
    const token = tokens.issue(publisher.wallet, { scopes, approval: { maxCents: 106n, maxCount: 5 } })
    return unwrapped(await ask(market.url, token, toolCall(name, args))).body
  },
}
export const agentToAgent: Door = {
  named: 'action',
  async call({ publisher }, action, params) {
    const message = { role: 'user', messageId: randomUUID(), parts: [{ kind: 'data', data: { action, params } }] }
    const asked = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }
    return said((await publisher.call('POST', '/a2a', asked)).body)
  },
}

type Said = { readonly parts?: readonly { readonly data?: Json }[] }
/** The data of a message or of the message that a task waits with. */
function said(body: Reply['body']): Json {
  const error = body['error'] as { readonly data: Json } | undefined
  if (error !== undefined) return error.data
  const result = body['result'] as Said & { readonly status?: { readonly message?: Said } }
  const parts = result.parts ?? result.status?.message?.parts ?? []
  return Object.assign({}, ...parts.flatMap(({ data }) => (data === undefined ? [] : [data]))) as Json
}
